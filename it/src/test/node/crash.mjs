// Job queues while the server crashes and comes back: told on standard input when it has, tells on standard output how far it is.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import BeeQueue from 'bee-queue';
import Bull from 'bull';
import { Queue, QueueEvents, Worker } from 'bullmq';

const connection = { host: '127.0.0.1', port: Number(process.env.HEDDLE_PORT) };
const JOBS = 300;
const done = { bullmq: new Set(), bull: new Set(), bee: new Set() };
const ignore = () => {};

async function work(name, i) {
  await sleep(5);
  done[name].add(i);
}

async function bullmq() {
  const queue = new Queue('crash-mq', { connection });
  const events = new QueueEvents('crash-mq', { connection, lastEventId: '0-0' });
  queue.on('error', ignore);
  events.on('error', ignore);
  await events.waitUntilReady();
  const told = new Set();
  events.on('completed', ({ jobId }) => told.add(jobId));
  const jobs = await queue.addBulk(
    Array.from({ length: JOBS }, (_, i) => ({ name: 'job', data: { i }, opts: { attempts: 3 } })));
  for (let i = 0; i < 2; i++) {
    const options = { connection, concurrency: 2, lockDuration: 2000, stalledInterval: 1000, maxStalledCount: 5 };
    new Worker('crash-mq', (job) => work('bullmq', job.data.i), options).on('error', ignore);
  }
  return async () => {
    const counts = await queue.getJobCounts('completed', 'waiting', 'active', 'delayed', 'failed');
    return counts.completed === jobs.length && told.size === jobs.length ? null : { ...counts, told: told.size };
  };
}

async function bull() {
  const settings = { lockDuration: 2000, stalledInterval: 1000, maxStalledCount: 5 };
  const queue = new Bull('crash-bull', { redis: { ...connection, maxRetriesPerRequest: null }, settings });
  queue.on('error', ignore);
  await queue.addBulk(Array.from({ length: JOBS }, (_, i) => ({ data: { i }, opts: { attempts: 3 } })));
  queue.process(4, (job) => work('bull', job.data.i)).catch(ignore);
  return async () => {
    const counts = await queue.getJobCounts();
    return counts.completed === JOBS ? null : counts;
  };
}

function beeQueue() {
  const queue = new BeeQueue('crash-bee', { redis: { ...connection, retry_strategy: () => 100 }, stallInterval: 500 });
  queue.on('error', ignore);
  queue.process(4, (job) => work('bee', job.data.i));
  return queue;
}

async function bee() {
  const queue = beeQueue();
  await queue.ready();
  await queue.saveAll(Array.from({ length: JOBS }, (_, i) => queue.createJob({ i }).retries(3)));
  let second;
  return async () => {
    // Bee-Queue believes for ever that its scripts are loaded, so that another process has to go on after a crash.
    second ??= await beeQueue().ready();
    await second.checkStalledJobs();
    const health = await second.checkHealth();
    return health.succeeded === JOBS ? null : health;
  };
}

process.on('unhandledRejection', ignore);
const checks = { bullmq: await bullmq(), bull: await bull(), bee: await bee() };
while (Object.values(done).some((set) => set.size < JOBS / 4)) {
  await sleep(5);
}
console.log('halfway');
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'back') {
    break;
  }
}
for (const [name, check] of Object.entries(checks)) {
  let left = await check().catch(String);
  while (left) {
    console.log(`${name} has still to do: ${JSON.stringify(left)}`);
    await sleep(250);
    left = await check().catch(String);
  }
  console.log(`${name}: all ${done[name].size} done`);
}
process.exit(Object.values(done).every((set) => set.size === JOBS) ? 0 : 1);
