// Two servers of socket.io, joined by their adapter on Redis streams.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';

const servers = [];
const clients = [];

async function listen() {
  const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.HEDDLE_PORT) });
  const http = createServer();
  const server = new Server(http, {
    adapter: createAdapter(redis, { blockTimeInMs: 100, heartbeatInterval: 300 }),
    connectionStateRecovery: {},
  });
  server.on('connection', (socket) => socket.join('room'));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  servers.push({ redis, server, port: http.address().port });
}

before(async () => {
  await listen();
  await listen();
  for (const { port } of servers) {
    const client = io(`http://127.0.0.1:${port}`, { transports: ['websocket'] });
    clients.push(client);
    await once(client, 'connect');
  }
  // until each has heard of the other
  while ((await Promise.all(servers.map(({ server }) => server.fetchSockets()))).some((all) => all.length < 2)) {
    await sleep(50);
  }
});

after(async () => {
  clients.forEach((client) => client.disconnect());
  for (const { server, redis } of servers) {
    await server.close();
    redis.disconnect();
  }
});

test('a message to all reaches the clients of both servers', async () => {
  const got = clients.map((client) => once(client, 'news'));
  servers[0].server.emit('news', { text: 'héllo', bytes: Buffer.from([0, 255, 13, 10]) });
  for (const [message] of await Promise.all(got)) {
    assert.equal(message.text, 'héllo');
    assert.deepEqual([...message.bytes], [0, 255, 13, 10]);
  }
});

test('rooms reach across servers, without the sender', async () => {
  const got = once(clients[1], 'hi');
  let echoed = false;
  clients[0].once('hi', () => (echoed = true));
  servers[0].server.except(clients[0].id).to('room').emit('hi', 1);
  assert.equal((await got)[0], 1);
  assert.equal(echoed, false);
});

test('all sockets can be fetched, and made to join a room', async () => {
  const sockets = await servers[1].server.fetchSockets();
  assert.deepEqual(sockets.map((socket) => socket.id).sort(), clients.map((client) => client.id).sort());
  servers[1].server.socketsJoin('second');
  while ((await servers[0].server.in('second').fetchSockets()).length < 2) {
    await sleep(20);
  }
});

test('many messages arrive in order', async () => {
  const numbers = [];
  const all = new Promise((resolve) =>
    clients[1].on('number', (i) => {
      numbers.push(i);
      if (numbers.length === 300) {
        resolve();
      }
    }));
  for (let i = 0; i < 300; i++) {
    servers[0].server.emit('number', i);
  }
  await all;
  assert.deepEqual(numbers, Array.from({ length: 300 }, (_, i) => i));
});

test('who comes back is told what was missed', async () => {
  const client = clients[1];
  const first = once(client, 'before');
  servers[0].server.emit('before');
  await first;
  const back = once(client, 'connect');
  const missed = once(client, 'missed');
  client.io.engine.close();
  servers[0].server.emit('missed', 42);
  assert.equal((await missed)[0], 42);
  await back;
  assert.equal(client.recovered, true);
});
