import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { type Topic, topics } from '../engine.ts';
import { announcedTopics, type Channel } from './announcer.ts';
import { connectingTo, type PostgresOptions } from './connection-options.ts';

const pollMs = 1000;
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
  const stop = new AbortController();
  const poll = setInterval(() => onNotified(['events']), pollMs);
  const running = keepListening(options, channel, onNotified, stop.signal);
  return async () => {
    clearInterval(poll);
    stop.abort();
    await running;
  };
}

async function keepListening(
  options: PostgresOptions,
  channel: Channel,
  onNotified: (topics: readonly Topic[]) => void,
  signal: AbortSignal,
): Promise<void> {
  let backoffMs = 100;
  while (!signal.aborted) {
    try {
      await listenOnce(options, channel, onNotified, signal, () => {
        backoffMs = 100;
      });
    } catch (error) {
      if (signal.aborted) return;
      options.onError(error instanceof Error ? error : new Error(String(error)));
      await pause(backoffMs, signal);
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
    }
  }
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

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
