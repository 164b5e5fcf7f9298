// The tour: each step is run for real, and its reply must be the expected one. Keys begin with "learn:" and are removed afterwards.

const is = (wanted) => (reply) => JSON.stringify(plain(reply)) === JSON.stringify(wanted);
const between = (low, high) => (reply) => plain(reply) >= low && plain(reply) <= high;
const matches = (pattern) => (reply) => pattern.test(String(plain(reply)));
const fails = (pattern) => (reply) => reply?.error !== undefined && pattern.test(reply.error);
const sorted = (wanted) => (reply) => JSON.stringify([...(plain(reply) ?? [])].sort()) === JSON.stringify(wanted);

/** A reply without its types. */
export function plain(reply) {
  if (Array.isArray(reply)) return reply.map(plain);
  if (reply === null || typeof reply !== 'object') return reply;
  if (reply.map) return Object.fromEntries(reply.map.map(([k, v]) => [plain(k), plain(v)]));
  if (reply.set) return reply.set.map(plain);
  if (reply.error !== undefined) return 'error: ' + reply.error;
  return reply.simple ?? reply.double ?? reply.integer ?? reply.text ?? reply;
}

const step = (title, text, command, expected, check) => ({ title, text, command, expected, check });

export const LESSONS = [
  { title: 'Strings', steps: [
    step('Is anybody there?', 'PING is the smallest conversation with the server.', 'PING', 'PONG', is('PONG')),
    step('Store a value', 'SET stores a string under a key. Quotes keep words together.', 'SET learn:motto "over and under"', 'OK', is('OK')),
    step('Read it back', 'GET answers the value, or nil if there is none.', 'GET learn:motto', '"over and under"', is('over and under')),
    step('Count', 'INCR reads a string as a number and adds one, in one indivisible step: two clients never count the same visitor.', 'INCR learn:visits', '1 at first, one more each time', between(1, 1e6)),
    step('Only if it is new', 'SET … NX stores only if the key does not exist: the simplest lock there is.', 'SET learn:motto "something else" NX', 'nil: the key exists', is(null)),
  ] },
  { title: 'Time', steps: [
    step('Let it expire', 'A key can have a time to live. EX gives it in seconds.', 'SET learn:session alice EX 60', 'OK', is('OK')),
    step('How long?', 'TTL tells the seconds that are left; -1 means for ever, -2 that there is no such key.', 'TTL learn:session', 'at most 60', between(1, 60)),
    step('Keep it after all', 'PERSIST takes the time to live away.', 'PERSIST learn:session', '1', is(1)),
  ] },
  { title: 'Lists', steps: [
    step('A queue', 'RPUSH adds at the tail. Several values go in with one command. The reply is the new length.', 'DEL learn:queue; RPUSH learn:queue spin dye weave', '3', is(3)),
    step('Look at all of it', 'LRANGE takes two indexes; -1 is the last element.', 'LRANGE learn:queue 0 -1', 'spin, dye, weave', is(['spin', 'dye', 'weave'])),
    step('Take from the head', 'LPOP takes the first. Many workers can do this at once: each element goes to exactly one.', 'LPOP learn:queue', '"spin"', is('spin')),
    step('Wait for work', 'BLPOP waits until there is something, at most so many seconds. Here there is, so it answers at once.', 'BLPOP learn:queue 5', 'the key and "dye"', is(['learn:queue', 'dye'])),
  ] },
  { title: 'Hashes', steps: [
    step('An object', 'A hash has fields with values. HSET answers how many fields are new.', 'DEL learn:loom; HSET learn:loom threads 1200 colour indigo', '2', is(2)),
    step('All of it', 'HGETALL answers a map.', 'HGETALL learn:loom', 'threads 1200, colour indigo', is({ threads: '1200', colour: 'indigo' })),
    step('Count in a field', 'HINCRBY adds to one field; the others are left alone.', 'HINCRBY learn:loom threads 40', '1240', is(1240)),
  ] },
  { title: 'Sets', steps: [
    step('No doubles', 'A set holds each member once. The second "red" does not count.', 'DEL learn:warm; SADD learn:warm red orange red', '2', is(2)),
    step('Is it in there?', 'SISMEMBER takes the same time however large the set is.', 'SISMEMBER learn:warm orange', '1', is(1)),
    step('What two sets share', 'SINTER answers the members that are in both.', 'SADD learn:used red blue; SINTER learn:warm learn:used', 'red', sorted(['red'])),
  ] },
  { title: 'Sorted sets', steps: [
    step('A ranking', 'Members have scores and are kept in their order.', 'DEL learn:scores; ZADD learn:scores 30 ada 50 grace 40 linus', '3', is(3)),
    step('The best two', 'REV reads from the highest score down.', 'ZRANGE learn:scores 0 1 REV', 'grace, linus', is(['grace', 'linus'])),
    step('Which place?', 'ZREVRANK counts from 0: grace is first.', 'ZREVRANK learn:scores grace', '0', is(0)),
    step('More points', 'ZINCRBY moves a member to its new place.', 'ZINCRBY learn:scores 25 ada', '55', matches(/^55(\.0)?$/)),
  ] },
  { title: 'Transactions', steps: [
    step('All or nothing in between', 'Between MULTI and EXEC commands are queued; EXEC runs them with nobody in between.', 'SET learn:a 10; SET learn:b 0; MULTI; DECRBY learn:a 3; INCRBY learn:b 3; EXEC', '7 and 3', is([7, 3])),
    step('A mistake is an error', 'Errors are replies like others: the wrong type is refused, and nothing is changed.', 'LPUSH learn:motto x', 'an error: WRONGTYPE', fails(/^WRONGTYPE/)),
  ] },
  { title: 'Looking around', steps: [
    step('Which keys?', 'SCAN walks over all keys in small steps and never holds up others. The first element of the reply is where to go on.', 'SCAN 0 MATCH learn:* COUNT 1000', 'a cursor, and the keys of this tour', (r) => plain(r)?.[1]?.length > 3),
    step('What is it?', 'TYPE tells what a key holds.', 'TYPE learn:scores', 'zset', is('zset')),
    step('Tidy up', 'UNLINK removes keys; the reply is how many there were.', 'UNLINK learn:motto learn:visits learn:session learn:queue learn:loom learn:warm learn:used learn:scores learn:a learn:b', 'how many there were', between(1, 10)),
  ] },
];
