// node-redis (RESP3, its default) against the server whose port HEDDLE_PORT names.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { BasicClientSideCache, createClient, defineScript, WatchError } from 'redis';

const port = Number(process.env.HEDDLE_PORT);
const clients = [];

const scripts = {
  add: defineScript({
    NUMBER_OF_KEYS: 1,
    SCRIPT: "return redis.call('incrby', KEYS[1], ARGV[1])",
    parseCommand(parser, key, number) {
      parser.pushKey(key);
      parser.push(number.toString());
    },
    transformReply: undefined,
  }),
};

async function connect(options = {}) {
  const client = createClient({ socket: { host: '127.0.0.1', port }, RESP: 3, scripts, ...options });
  client.on('error', () => {}); // a killed connection reports itself, and comes back
  clients.push(client);
  return client.connect();
}

let redis;

before(async () => {
  redis = await connect({ name: 'node-redis-it' });
});
beforeEach(() => redis.flushAll());
after(() => clients.forEach((client) => client.destroy()));

async function until(condition) {
  while (!(await condition())) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('strings, hashes, lists, sets and sorted sets', async () => {
  assert.equal(await redis.clientGetName(), 'node-redis-it');
  assert.equal(await redis.set('k', 'v', { condition: 'NX', expiration: { type: 'EX', value: 60 } }), 'OK');
  assert.equal(await redis.set('k', 'w', { condition: 'NX' }), null);
  assert.deepEqual(await redis.mGet(['k', 'none']), ['v', null]);
  await redis.hSet('h', { a: 1, b: 'two' });
  assert.deepEqual({ ...(await redis.hGetAll('h')) }, { a: '1', b: 'two' });
  await redis.rPush('l', ['a', 'b']);
  assert.deepEqual(await redis.lRange('l', 0, -1), ['a', 'b']);
  await redis.sAdd('s', ['x', 'y']);
  assert.deepEqual([...(await redis.sMembers('s'))].sort(), ['x', 'y']);
  await redis.zAdd('z', [{ score: 0.1, value: 'a' }, { score: 2, value: 'b' }]);
  assert.deepEqual(
    (await redis.zRangeWithScores('z', 0, -1)).map(({ value, score }) => [value, score]),
    [['a', 0.1], ['b', 2]],
  );
  await assert.rejects(redis.lPush('k', 'x'), /WRONGTYPE /);
});

test('commands of one turn are one pipeline', async () => {
  const replies = await Promise.all(Array.from({ length: 5_000 }, () => redis.incr('n')));
  assert.deepEqual([replies[0], replies[4_999]], [1, 5_000]);
});

test('MULTI, WATCH and EXEC', async () => {
  assert.deepEqual(await redis.multi().set('t', '1').incr('t').get('t').exec(), ['OK', 2, '2']);
  const client = await connect();
  await client.watch('t');
  await redis.set('t', 'changed');
  await assert.rejects(client.multi().set('t', 'mine').exec(), WatchError);
  assert.equal(await redis.get('t'), 'changed');
});

test('pub/sub beside ordinary commands', async () => {
  const subscriber = await connect();
  const received = [];
  await subscriber.subscribe(['news', 'sport'], (message, channel) => received.push(`${channel} ${message}`));
  await subscriber.pSubscribe('new*', (message, channel) => received.push(`pattern ${channel} ${message}`));
  await subscriber.sSubscribe('shard', (message, channel) => received.push(`shard ${channel} ${message}`));
  assert.equal(await redis.publish('news', 'hello'), 2);
  assert.equal(await redis.sPublish('shard', 'm'), 1);
  await until(() => received.length === 3);
  assert.deepEqual(received.sort(), ['news hello', 'pattern news hello', 'shard shard m']);
  await subscriber.unsubscribe('news');
  await subscriber.pUnsubscribe('new*');
  assert.equal(await redis.publish('news', 'nobody'), 0);
  assert.equal(await subscriber.ping(), 'PONG');
});

test('blocking commands wake up and time out', async () => {
  const waiting = await connect();
  const popped = waiting.blPop(['q1', 'q2'], 10);
  await until(async () => (await redis.info('clients')).includes('blocked_clients:1'));
  await redis.rPush('q2', 'job');
  assert.deepEqual({ ...(await popped) }, { key: 'q2', element: 'job' });
  assert.equal(await waiting.brPop('q1', 0.01), null);
});

test('scan iterators', async () => {
  await redis.mSet(Array.from({ length: 500 }, (_, i) => [`key:${i}`, `${i}`]));
  const seen = new Set();
  for await (const keys of redis.scanIterator({ MATCH: 'key:*', COUNT: 40 })) {
    keys.forEach((key) => seen.add(key));
  }
  assert.equal(seen.size, 500);
});

test('the client-side cache obeys invalidations', async () => {
  const cache = new BasicClientSideCache({ ttl: 0, maxEntries: 100 });
  const client = await connect({ clientSideCache: cache });
  await redis.set('cached', '1');
  assert.equal(await client.get('cached'), '1');
  assert.equal(await client.get('cached'), '1');
  assert.equal(cache.stats().hitCount, 1);
  await redis.set('cached', '2');
  await until(async () => (await client.get('cached')) === '2');
  await redis.flushAll();
  await until(async () => (await client.get('cached')) === null);
});

test('it reconnects and subscribes again', async () => {
  const client = await connect();
  const subscriber = await connect();
  const received = [];
  await subscriber.subscribe('again', (message) => received.push(message));
  const ready = new Promise((resolve) => client.once('ready', resolve));
  await redis.sendCommand(['CLIENT', 'KILL', 'ID', String(await client.clientId())]);
  await redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
  await ready;
  assert.equal(await client.ping(), 'PONG');
  await until(async () => (await redis.publish('again', 'm')) === 1);
  await until(() => received.includes('m'));
});

test('scripts: EVALSHA, and EVAL when it is missing', async () => {
  assert.equal(await redis.add('n', 5), 5);
  await redis.scriptFlush();
  assert.equal(await redis.add('n', 5), 10);
  assert.deepEqual(await redis.multi().add('n', 1).get('n').exec(), [11, '11']);
  assert.deepEqual(
    await redis.eval("redis.setresp(3) return {redis.call('hgetall', KEYS[1]), {double = 0.5}}", { keys: ['none'] }).then(
      ([map, double]) => [{ ...map }, double],
    ),
    [{}, 0.5],
  );
});
