// BullMQ as it is, on ioredis: every kind of job, and the events of them, which are a stream.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FlowProducer, Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';

const connection = { host: '127.0.0.1', port: Number(process.env.HEDDLE_PORT) };
const JOBS = 1000;
const open = [];

/** Remembers what has to be closed at the end. */
function keep(thing) {
  thing.on?.('error', () => {});
  open.push(thing);
  return thing;
}

const queueOf = (name) => keep(new Queue(name, { connection }));
const workerOf = (name, work, options = {}) => keep(new Worker(name, work, { connection, ...options }));

async function eventsOf(name) {
  const events = keep(new QueueEvents(name, { connection, lastEventId: '0-0' }));
  await events.waitUntilReady();
  return events;
}

/** Waits until something has come true. */
async function until(condition) {
  while (!(await condition())) {
    await sleep(10);
  }
}

after(async () => {
  await Promise.all(open.map((thing) => thing.close?.() ?? thing.disconnect()));
});

test('1,000 jobs over four workers, each done once', async () => {
  const queue = queueOf('many');
  const events = await eventsOf('many');
  const told = new Map();
  events.on('completed', ({ jobId, returnvalue }) => told.set(jobId, returnvalue));
  const runs = new Map();
  const work = async (job) => {
    runs.set(job.data.i, (runs.get(job.data.i) ?? 0) + 1);
    return job.data.i * 2;
  };
  for (let i = 0; i < 4; i++) {
    workerOf('many', work, { concurrency: 10 });
  }
  const jobs = await queue.addBulk(Array.from({ length: JOBS }, (_, i) => ({ name: 'double', data: { i } })));
  await until(() => told.size === JOBS);
  assert.equal(runs.size, JOBS);
  assert.ok([...runs.values()].every((times) => times === 1));
  jobs.forEach((job) => assert.equal(told.get(job.id), job.data.i * 2));
  await until(async () => (await queue.getJobCounts('active')).active === 0);
  const counts = await queue.getJobCounts('completed', 'failed', 'waiting', 'active');
  assert.deepEqual(counts, { completed: JOBS, failed: 0, waiting: 0, active: 0 });
});

test('a delayed job waits for its time', async () => {
  const queue = queueOf('delayed');
  const events = await eventsOf('delayed');
  workerOf('delayed', async () => Date.now());
  const added = Date.now();
  const job = await queue.add('later', {}, { delay: 400 });
  const soon = await queue.add('soon', {});
  const done = await job.waitUntilFinished(events);
  assert.ok(done - added >= 400, `after ${done - added} ms`);
  assert.ok((await soon.waitUntilFinished(events)) < done);
});

test('a job that fails is tried again, later each time', async () => {
  const queue = queueOf('retried');
  const events = await eventsOf('retried');
  const times = [];
  workerOf('retried', async (job) => {
    times.push(Date.now());
    if (times.length < 4) {
      throw new Error(`attempt ${job.attemptsMade}`);
    }
    return 'at last';
  });
  const job = await queue.add('shaky', {}, { attempts: 4, backoff: { type: 'exponential', delay: 100 } });
  assert.equal(await job.waitUntilFinished(events), 'at last');
  const gaps = times.slice(1).map((time, i) => time - times[i]);
  assert.ok(gaps[0] >= 95 && gaps[1] >= 195 && gaps[2] >= 395, String(gaps));
  const hopeless = await queue.add('hopeless', {}, { attempts: 1 });
  times.length = 0;
  await assert.rejects(hopeless.waitUntilFinished(events), /attempt 0/);
  assert.equal(await hopeless.getState(), 'failed');
});

test('a repeated job comes again and again, until it is removed', async () => {
  const queue = queueOf('repeated');
  const times = [];
  workerOf('repeated', async () => times.push(Date.now()));
  await queue.upsertJobScheduler('tick', { every: 200 }, { name: 'tick' });
  await until(() => times.length >= 4);
  assert.equal((await queue.getJobSchedulers()).length, 1);
  assert.ok(await queue.removeJobScheduler('tick'));
  const so = times.length;
  await sleep(500);
  assert.ok(times.length <= so + 1);
  const gaps = times.slice(2).map((time, i) => time - times[i + 1]);
  assert.ok(gaps.every((gap) => gap > 50), String(gaps));
});

test('jobs of higher priority come first, equal ones in order', async () => {
  const queue = queueOf('ranked');
  const order = [];
  await queue.addBulk([
    { name: 'low', data: {}, opts: { priority: 10 } },
    { name: 'high', data: {}, opts: { priority: 1 } },
    { name: 'middle 1', data: {}, opts: { priority: 5 } },
    { name: 'middle 2', data: {}, opts: { priority: 5 } },
    { name: 'none', data: {} },
  ]);
  workerOf('ranked', async (job) => order.push(job.name));
  await until(() => order.length === 5);
  assert.deepEqual(order, ['none', 'high', 'middle 1', 'middle 2', 'low']);
});

test('a flow: the parent waits for its children', async () => {
  const flows = keep(new FlowProducer({ connection }));
  const events = await eventsOf('parents');
  workerOf('children', async (job) => job.data.i * job.data.i, { concurrency: 5 });
  workerOf('parents', async (job) => {
    const values = Object.values(await job.getChildrenValues());
    return values.reduce((a, b) => a + b, 0);
  });
  const flow = await flows.add({
    name: 'sum',
    queueName: 'parents',
    children: Array.from({ length: 10 }, (_, i) => ({ name: 'square', queueName: 'children', data: { i } })),
  });
  assert.equal(await flow.job.waitUntilFinished(events), 285);
});

test('no more jobs than the limit allows', async () => {
  const queue = queueOf('limited');
  const times = [];
  workerOf('limited', async () => times.push(Date.now()), { limiter: { max: 5, duration: 400 }, concurrency: 5 });
  await queue.addBulk(Array.from({ length: 15 }, (_, i) => ({ name: 'hit', data: { i } })));
  await until(() => times.length === 15);
  assert.ok(times[14] - times[0] >= 700, `15 jobs in ${times[14] - times[0]} ms`);
});

test('a job whose worker has died is given to another', async () => {
  const queue = queueOf('stalled');
  const events = await eventsOf('stalled');
  const stalled = once(events, 'stalled');
  const options = { lockDuration: 400, stalledInterval: 200 };
  const first = workerOf('stalled', () => new Promise(() => {}), { ...options, skipLockRenewal: true, skipStalledCheck: true });
  const taken = once(first, 'active');
  const job = await queue.add('heavy', {});
  await taken;
  await first.close(true);
  workerOf('stalled', async () => 'rescued', options);
  assert.equal(await job.waitUntilFinished(events), 'rescued');
  assert.equal((await stalled)[0].jobId, job.id);
});

test('events tell the story of a job', async () => {
  const queue = queueOf('told');
  const events = await eventsOf('told');
  const story = [];
  for (const name of ['added', 'waiting', 'active', 'progress', 'completed', 'failed', 'drained']) {
    events.on(name, ({ data }) => story.push(name === 'progress' ? `progress ${data}` : name));
  }
  workerOf('told', async (job) => {
    await job.updateProgress(50);
    return 'done';
  });
  const job = await queue.add('one', {});
  await job.waitUntilFinished(events);
  await until(() => story.includes('drained'));
  assert.deepEqual(story.slice(0, 5), ['added', 'waiting', 'active', 'progress 50', 'completed']);
  const redis = keep(new Redis(connection));
  assert.ok((await redis.xlen(queue.toKey('events'))) >= 5);
  await queue.trimEvents(2);
  assert.ok((await redis.xlen(queue.toKey('events'))) >= 2);
});

test('a queue is paused, and wiped out', async () => {
  const queue = queueOf('paused');
  const done = [];
  workerOf('paused', async (job) => done.push(job.name));
  await queue.pause();
  await queue.add('a', {});
  await sleep(100);
  assert.deepEqual(done, []);
  await queue.resume();
  await until(() => done.length === 1);
  await queue.obliterate({ force: true });
  assert.equal(await queue.count(), 0);
});
