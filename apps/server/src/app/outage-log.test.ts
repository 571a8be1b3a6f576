import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createStorage, engine, startServer } from '#testing/server.ts';

/** Forwards connections to the PostgreSQL at `url`. While broken, it closes all connections and refuses new ones. */
async function breakable(url: string) {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let broken = false;
  let refused = 0;
  const server = createServer((client) => {
    if (broken) {
      refused++;
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.pipe(peer);
      // An error on either connection also closes the connection on the other side.
      socket.on('error', () => peer.destroy());
      socket.on('close', () => {
        open.delete(socket);
        peer.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    refused: () => refused,
    setBroken: (value: boolean) => {
      broken = value;
      if (broken) for (const socket of open) socket.destroy();
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

it.runIf(engine === 'postgres')(
  'an outage of the database writes one log line in ten seconds, however many requests fail',
  async () => {
    const storage = await createStorage();
    const database = await breakable(storage.settings.databaseUrl as string);
    const server = await startServer({ ...storage, settings: { ...storage.settings, databaseUrl: database.url } });
    const errors = () => server.logged.filter((line) => JSON.parse(line).level >= 50);
    expect(errors()).toEqual([]);
    database.setBroken(true);
    await expect.poll(() => database.refused(), { timeout: 15_000 }).toBeGreaterThan(8);
    expect((await server.admin.request('GET', '/api/admin/events')).status).toBe(503);
    expect(errors().map((line) => JSON.parse(line).msg)).toHaveLength(1);
    database.setBroken(false);
    await expect.poll(async () => (await server.admin.request('GET', '/ready')).status, { timeout: 15_000 }).toBe(200);
    await server.stop();
    await database.stop();
    await storage.remove();
  },
  60_000,
);
