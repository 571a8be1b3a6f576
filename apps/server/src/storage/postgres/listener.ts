import { Client } from 'pg';
import { Loop } from '#kernel/loop.ts';
import { type Topic, topics } from '../engine.ts';
import { announcedTopics, type Channel } from './announcer.ts';
import { connectingTo, type PostgresOptions } from './connection-options.ts';

const pollMs = 1000;
const minBackoffMs = 100;
const maxBackoffMs = 10_000;

/**
 * Calls `onNotified` on every notification of another process on `channel`, after every reconnect with all topics, and
 * once a second with `events`: the poll guarantees their delivery, notifications only reduce the latency. Returns a
 * function that stops it.
 */
export function listenForever(
  options: PostgresOptions,
  channel: Channel,
  onNotified: (topics: readonly Topic[]) => void,
): () => Promise<void> {
  const onError = (error: unknown) => options.onError(error instanceof Error ? error : new Error(String(error)));
  const polls = new Loop({ round: async () => onNotified(['events']), onError, everyMs: pollMs });
  let failures = 0;
  const connections: Loop = new Loop({
    round: () =>
      listenOnce(options, channel, onNotified, connections.stopping, () => {
        failures = 0;
      }),
    onError,
    firstMs: 0,
    retryMs: () => Math.min(minBackoffMs * 2 ** failures++, maxBackoffMs),
  });
  polls.start();
  connections.start();
  return async () => {
    await Promise.all([polls.stop(), connections.stop()]);
  };
}

/** Listens on a separate connection. Rejects when the connection breaks; resolves when `signal` aborts. */
async function listenOnce(
  options: PostgresOptions,
  channel: Channel,
  onNotified: (topics: readonly Topic[]) => void,
  signal: AbortSignal,
  connected: () => void,
): Promise<void> {
  const { config, prepare } = connectingTo(options);
  const client = new Client(config);
  try {
    const broken = new Promise<never>((_resolve, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('the connection for notifications was closed by PostgreSQL')));
    });
    // Avoids an unhandledRejection; awaited below.
    broken.catch(() => undefined);
    await client.connect();
    await prepare(client);
    client.on('notification', ({ payload }) => {
      const announced = announcedTopics(payload, channel);
      if (announced !== undefined) onNotified(announced);
    });
    await client.query(`listen ${client.escapeIdentifier(channel.name)}`);
    connected();
    onNotified(topics);
    await Promise.race([broken, aborted(signal)]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    client.removeAllListeners('end');
    await client.end().catch(options.onError);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
