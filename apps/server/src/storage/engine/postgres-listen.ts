import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { Channel } from './postgres-announce.ts';
import { connectionOptions, type PostgresOptions } from './postgres-options.ts';

const pollMs = 1000;
const maxBackoffMs = 10_000;

/**
 * Calls `heard` on every notification of another process on `channel`, after every reconnect, and once a second whatever
 * happens: the poll is the truth, the notification only makes it quick. Answers how to stop.
 */
export function listenForever(options: PostgresOptions, channel: Channel, heard: () => void): () => Promise<void> {
  const stop = new AbortController();
  const poll = setInterval(heard, pollMs);
  const running = keepListening(options, channel, heard, stop.signal);
  return async () => {
    clearInterval(poll);
    stop.abort();
    await running;
  };
}

async function keepListening(
  options: PostgresOptions,
  channel: Channel,
  heard: () => void,
  signal: AbortSignal,
): Promise<void> {
  let backoffMs = 100;
  while (!signal.aborted) {
    try {
      await listenOnce(options, channel, heard, signal, () => {
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

/** Listens on a connection of its own until it breaks (rejects) or `signal` ends it (resolves). */
async function listenOnce(
  options: PostgresOptions,
  channel: Channel,
  heard: () => void,
  signal: AbortSignal,
  connected: () => void,
): Promise<void> {
  const client = new Client(connectionOptions(options));
  try {
    const broken = new Promise<never>((_resolve, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('the listening connection has ended')));
    });
    // Whoever awaits first sees the rejection; until then it must not count as unhandled.
    broken.catch(() => undefined);
    await client.connect();
    client.on('notification', ({ payload }) => {
      if (payload !== channel.self) heard();
    });
    await client.query(`listen ${client.escapeIdentifier(channel.name)}`);
    connected();
    heard();
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
