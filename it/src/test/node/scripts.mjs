// Scripts as job queues write them: packed arguments, JSON, keys that nobody declared.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { Redis } from 'ioredis';
import { Packr } from 'msgpackr';

const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.HEDDLE_PORT) });
const packer = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

beforeEach(() => redis.flushall());
after(() => redis.disconnect());

test('cmsgpack reads what a client has packed', async () => {
  const job = { id: 7, name: 'résumé', delay: 1_700_000_000_123, ratio: 0.5, tags: ['a', 'b'], off: false, none: null };
  const script = `
    local job = cmsgpack.unpack(ARGV[1])
    return {job.id, job.name, tostring(job.delay * 1000), tostring(job.ratio), #job.tags, tostring(job.off), type(job.none),
      string.format('%d', job.delay)}`;
  assert.deepEqual(await redis.eval(script, 0, packer.pack(job)), [
    7, 'résumé', '1.700000000123e+15', '0.5', 2, 'false', 'nil', '1700000000123',
  ]);
});

test('cmsgpack packs what a client can read', async () => {
  const packed = await redis.evalBuffer(
    "return cmsgpack.pack({name = 'x', numbers = {1, -1, 300, 70000, 2.5}, yes = true})", 0);
  assert.deepEqual(packer.unpack(packed), { name: 'x', numbers: [1, -1, 300, 70000, 2.5], yes: true });
});

test('binary arguments reach the script unchanged', async () => {
  const bytes = Buffer.from([0xef, 0xbf, 0xbd, 0x00, 0xff, 0x0d, 0x0a]);
  assert.deepEqual(await redis.evalBuffer("redis.call('set', 'b', ARGV[1]) return redis.call('get', 'b')", 0, bytes), bytes);
  assert.equal(await redis.eval('return #ARGV[1]', 0, bytes), bytes.length);
});

test('a field of a JSON job is changed, the rest stays', async () => {
  const script = `
    local job = cjson.decode(redis.call('get', KEYS[1]))
    job.attempts = job.attempts + 1
    redis.call('set', KEYS[1], cjson.encode(job))
    return 'id_' .. job.id`;
  const job = { id: 101, attempts: 1, path: 'a/b', price: 12.25, nested: { list: [1, 2] }, nothing: null, text: 'ü"\\\n' };
  await redis.set('job', JSON.stringify(job));
  assert.equal(await redis.eval(script, 1, 'job'), 'id_101');
  assert.deepEqual(JSON.parse(await redis.get('job')), { ...job, attempts: 2 });
  assert.equal(await redis.eval("return cjson.encode(cjson.decode('[]'))", 0), '{}');
  assert.equal(await redis.eval("return cjson.encode('a/b')", 0), '"a\\/b"');
});

test('keys may be made up in the script', async () => {
  const script = `
    local id = redis.call('incr', KEYS[1] .. ':id')
    local key = KEYS[1] .. ':' .. id
    redis.call('hmset', key, 'data', ARGV[1], 'at', 0.1)
    redis.call('zadd', KEYS[1] .. ':delayed', ARGV[2] + 1, id)
    return {redis.call('type', key)['ok'], redis.call('type', 'nosuch')['ok'], id, redis.call('hget', key, 'at')}`;
  assert.deepEqual(await redis.eval(script, 1, 'queue', 'payload', '41'), ['hash', 'none', 1, '0.1']);
  assert.equal(await redis.zscore('queue:delayed', '1').then(String), '42');
});

test('batches of 7000 values', async () => {
  const script = `
    local ids = {}
    for i = 1, 7000 do ids[i] = 'id' .. i end
    redis.call('rpush', KEYS[1], unpack(ids))
    local all = redis.call('lrange', KEYS[1], 0, -1)
    redis.call('sadd', KEYS[2], unpack(all))
    return {#all, redis.call('scard', KEYS[2]), table.getn(all)}`;
  assert.deepEqual(await redis.eval(script, 2, 'l', 's'), [7_000, 7_000, 7_000]);
});

test('errors keep their code', async () => {
  await redis.set('k', 'v');
  await assert.rejects(redis.eval("return redis.call('lpush', KEYS[1], 'x')", 1, 'k'), /^ReplyError: WRONGTYPE .* script: /);
  await assert.rejects(redis.eval("return redis.error_reply('NOT FOUND')", 0), /^ReplyError: NOT FOUND$/);
  assert.equal(await redis.eval("return redis.pcall('lpush', KEYS[1], 'x').err", 1, 'k').then((text) => text.split(' ')[0]), 'WRONGTYPE');
  await assert.rejects(redis.evalsha('0'.repeat(40), 0), /^ReplyError: NOSCRIPT /);
  await assert.rejects(redis.eval('x = 1', 0), /Attempt to modify a readonly table/);
});

test('struct and bit', async () => {
  const script = `
    local packed = struct.pack('dLc0', 1.5, #ARGV[1], ARGV[1])
    local number, text = struct.unpack('dLc0', packed)
    return {#packed, tostring(number), text, bit.band(0xff, 0x0f), bit.tohex(255, 4)}`;
  assert.deepEqual(await redis.eval(script, 0, 'hello'), [21, '1.5', 'hello', 15, '00ff']);
});
