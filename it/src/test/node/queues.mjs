// Job queues as they are: Bull (on ioredis) and Bee-Queue (on an older node-redis).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import BeeQueue from 'bee-queue';
import Bull from 'bull';

const redis = { host: '127.0.0.1', port: Number(process.env.HEDDLE_PORT) };
const JOBS = 200;

test('Bull: 200 jobs, each done once', async () => {
  const queue = new Bull('work', { redis });
  const seen = new Map();
  const finished = new Promise((resolve) => {
    queue.on('completed', () => {
      if (seen.size === JOBS) {
        resolve();
      }
    });
  });
  queue.process(8, async (job) => {
    seen.set(job.data.i, (seen.get(job.data.i) ?? 0) + 1);
    return { twice: job.data.i * 2 };
  });
  await queue.addBulk(Array.from({ length: JOBS }, (_, i) => ({ data: { i } })));
  await finished;
  while ((await queue.getJobCounts()).active > 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.ok([...seen.values()].every((times) => times === 1));
  const counts = await queue.getJobCounts();
  assert.deepEqual([counts.completed, counts.waiting, counts.active, counts.failed], [JOBS, 0, 0, 0]);
  const [last] = await queue.getCompleted(0, 0);
  assert.equal(last.returnvalue.twice, last.data.i * 2);
  await queue.close();
});

test('Bull: retries, delays, priorities and progress', async () => {
  const queue = new Bull('special', { redis });
  const order = [];
  await queue.add('later', {}, { delay: 300 });
  await queue.add('low', {}, { priority: 10 });
  await queue.add('high', {}, { priority: 1 });
  const shaky = await queue.add('shaky', {}, { attempts: 3, priority: 20 });
  const work = async (job) => {
    order.push(job.name);
    await job.progress(50);
    if (job.name === 'shaky' && job.attemptsMade < 2) {
      throw new Error('not yet');
    }
    return job.name;
  };
  queue.process('*', work);
  assert.equal(await shaky.finished(), 'shaky');
  while (!order.includes('later')) {
    await once(queue, 'completed');
  }
  assert.deepEqual(order.slice(0, 2), ['high', 'low']);
  assert.equal(order.filter((name) => name === 'shaky').length, 3);
  await queue.obliterate({ force: true });
  await queue.close();
});

test('Bee-Queue: 200 jobs, each done once', async () => {
  const queue = new BeeQueue('bees', { redis, activateDelayedJobs: true });
  await queue.ready();
  let done = 0;
  const finished = new Promise((resolve) => {
    queue.on('succeeded', () => {
      if (++done === JOBS) {
        resolve();
      }
    });
  });
  queue.process(8, async (job) => job.data.i * 2);
  await queue.saveAll(Array.from({ length: JOBS }, (_, i) => queue.createJob({ i })));
  await finished;
  const health = await queue.checkHealth();
  assert.deepEqual([health.succeeded, health.waiting, health.active, health.failed], [JOBS, 0, 0, 0]);

  const delayed = await queue.createJob({ i: 21 }).delayUntil(Date.now() + 300).save();
  const [result] = await once(delayed, 'succeeded');
  assert.equal(result, 42);
  await queue.close();
});
