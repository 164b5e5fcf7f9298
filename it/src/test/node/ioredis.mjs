// ioredis against the server whose port HEDDLE_PORT names.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, beforeEach, test } from 'node:test';
import { Redis } from 'ioredis';

const port = Number(process.env.HEDDLE_PORT);
const clients = [];

function connect(options = {}) {
  const client = new Redis({ host: '127.0.0.1', port, ...options });
  clients.push(client);
  return client;
}

const redis = connect({ connectionName: 'ioredis-it', db: 3 });

beforeEach(() => redis.flushall());
after(() => clients.forEach((client) => client.disconnect()));

/** Resolves when so many clients wait in a blocking command. */
async function blocked(count) {
  while (!(await redis.info('clients')).includes(`blocked_clients:${count}`)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('strings, hashes, lists, sets and sorted sets', async () => {
  assert.equal(await redis.client('GETNAME'), 'ioredis-it');
  assert.equal(await redis.set('k', 'v', 'PX', 60_000, 'NX'), 'OK');
  assert.equal(await redis.set('k', 'w', 'NX'), null);
  assert.deepEqual(await redis.mget('k', 'none'), ['v', null]);
  await redis.hset('h', { a: 1, b: 'two' });
  assert.deepEqual({ ...(await redis.hgetall('h')) }, { a: '1', b: 'two' });
  await redis.rpush('l', 'a', 'b', 'c');
  assert.deepEqual(await redis.lrange('l', 0, -1), ['a', 'b', 'c']);
  await redis.sadd('s', 'x', 'y');
  assert.deepEqual((await redis.smembers('s')).sort(), ['x', 'y']);
  await redis.zadd('z', 0.1, 'a', 2, 'b');
  assert.deepEqual((await redis.zrange('z', 0, -1, 'WITHSCORES')).flat().map(String), ['a', '0.1', 'b', '2']);
  await assert.rejects(redis.lpush('k', 'x'), /^ReplyError: WRONGTYPE /);
});

test('binary keys and values', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  await redis.set(bytes, bytes);
  assert.deepEqual(await redis.getBuffer(bytes), bytes);
});

test('a pipeline of 10000 commands', async () => {
  const pipeline = redis.pipeline();
  for (let i = 0; i < 10_000; i++) {
    pipeline.incr('n');
  }
  pipeline.lpush('n', 'wrong');
  const replies = await pipeline.exec();
  assert.equal(replies[9_999][1], 10_000);
  assert.match(replies[10_000][0].message, /^WRONGTYPE /);
});

test('MULTI, WATCH and EXEC', async () => {
  const results = await redis.multi().set('t', '1').incr('t').get('t').exec();
  assert.deepEqual(results, [[null, 'OK'], [null, 2], [null, '2']]);
  const other = connect({ db: 3 });
  await redis.watch('t');
  await other.set('t', 'changed');
  assert.equal(await redis.multi().set('t', 'mine').exec(), null);
  await assert.rejects(redis.multi().set('t').exec(), /EXECABORT/);
  assert.equal(await redis.get('t'), 'changed');
});

test('pub/sub with channels and patterns', async () => {
  const subscriber = connect();
  assert.equal(await subscriber.subscribe('news', 'sport'), 2);
  assert.equal(await subscriber.psubscribe('new*'), 3);
  const message = once(subscriber, 'message');
  const pmessage = once(subscriber, 'pmessage');
  assert.equal(await redis.publish('news', 'hello'), 2);
  assert.deepEqual(await message, ['news', 'hello']);
  assert.deepEqual(await pmessage, ['new*', 'news', 'hello']);
  assert.equal(await subscriber.unsubscribe('news', 'sport'), 1);
  assert.equal(await subscriber.punsubscribe('new*'), 0);
  assert.equal(await subscriber.get('none'), null);
});

test('sharded pub/sub', async () => {
  const subscriber = connect();
  assert.equal(await subscriber.ssubscribe('shard'), 1);
  const message = once(subscriber, 'smessage');
  assert.equal(await redis.spublish('shard', 'm'), 1);
  assert.deepEqual(await message, ['shard', 'm']);
});

test('blocking commands wake up and time out', async () => {
  const waiting = connect({ db: 3 });
  const popped = waiting.blpop('q1', 'q2', 10);
  await blocked(1);
  await redis.rpush('q2', 'job');
  assert.deepEqual(await popped, ['q2', 'job']);
  assert.equal(await waiting.brpop('q1', 0.01), null);
  const moved = waiting.blmove('q1', 'q3', 'LEFT', 'RIGHT', 10);
  await blocked(1);
  await redis.rpush('q1', 'x');
  assert.equal(await moved, 'x');
  const lowest = waiting.bzpopmin('z', 10);
  await blocked(1);
  await redis.zadd('z', 1, 'm');
  assert.deepEqual((await lowest).map(String), ['z', 'm', '1']);
});

test('scan streams', async () => {
  const pipeline = redis.pipeline();
  for (let i = 0; i < 500; i++) {
    pipeline.set(`key:${i}`, i);
  }
  await pipeline.exec();
  const seen = new Set();
  for await (const keys of redis.scanStream({ match: 'key:*', count: 40 })) {
    keys.forEach((key) => seen.add(key));
  }
  assert.equal(seen.size, 500);
});

test('it reconnects and subscribes again', async () => {
  const client = connect({ db: 3 });
  const subscriber = connect();
  await subscriber.subscribe('again');
  await client.set('k', 'v');
  const reconnected = [once(client, 'ready'), once(subscriber, 'ready')];
  await redis.client('KILL', 'ID', await client.client('ID'));
  await redis.client('KILL', 'TYPE', 'pubsub');
  await Promise.all(reconnected);
  assert.equal(await client.get('k'), 'v');
  const message = once(subscriber, 'message');
  while ((await redis.publish('again', 'm')) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(await message, ['again', 'm']);
});

test('MONITOR', async () => {
  const monitor = await redis.monitor();
  clients.push(monitor);
  const seen = once(monitor, 'monitor');
  await redis.set('watched', 'x');
  assert.deepEqual((await seen)[1], ['set', 'watched', 'x']);
});

test('defineCommand: EVALSHA, and EVAL when it is missing', async () => {
  redis.defineCommand('setAndCount', {
    numberOfKeys: 2,
    lua: `redis.call('set', KEYS[1], ARGV[1])
      return {KEYS[2], redis.call('incr', KEYS[2]), redis.call('get', 'nosuch')}`,
  });
  assert.deepEqual(await redis.setAndCount('k', 'n', 'v'), ['n', 1, null]);
  await redis.script('FLUSH');
  assert.deepEqual(await redis.setAndCount('k', 'n', 'w'), ['n', 2, null]);
  const results = await redis.pipeline().setAndCount('k', 'n', 'x').get('k').exec();
  assert.deepEqual(results, [[null, ['n', 3, null]], [null, 'x']]);
  const inTransaction = await redis.multi().setAndCount('k', 'n', 'y').get('k').exec();
  assert.deepEqual(inTransaction, [[null, ['n', 4, null]], [null, 'y']]);
});

test('a script wakes a blocked client', async () => {
  const waiting = connect({ db: 3 });
  const popped = waiting.brpop('q', 10);
  await blocked(1);
  await redis.eval("return redis.call('rpush', KEYS[1], 'from a script')", 1, 'q');
  assert.deepEqual(await popped, ['q', 'from a script']);
});
