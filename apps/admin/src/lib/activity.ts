import type { activitySchema } from '@yardarm/contract';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { z } from 'zod';
import { ApiError, api, urlOf } from './api.ts';
import { noteBroken, noteReachable } from './connection.ts';

type Numbers = z.output<typeof activitySchema>;
export type ActivityKind = keyof Numbers;

/** The delay before connecting again after an error answer, in milliseconds. */
const retryMs = 10_000;
/** The time that the server has to open the stream, or to answer a question, in milliseconds. */
const answerMs = 10_000;
/** A stream that is silent for this number of heartbeats is dead, also when the browser still shows it as open. */
const maxMissedHeartbeats = 2.5;

const listeners = new Set<() => void>();
let numbers: Numbers | undefined;
let source: EventSource | undefined;
let retrying: ReturnType<typeof setTimeout> | undefined;
let silence: ReturnType<typeof setTimeout> | undefined;
/** The interval of heartbeats, in milliseconds. Each heartbeat tells it; this is the default of the server. */
let heartbeatMs = 25_000;

/**
 * Returns a number that changes when there is something new of a kind; for `events` it is the id of the newest event.
 * Undefined until it is known.
 */
export function useActivity(kind: ActivityKind, enabled = true): number | undefined {
  return useSyncExternalStore(enabled ? follow : followNothing, () => (enabled ? numbers?.[kind] : undefined));
}

/**
 * Calls `run` whenever there is something new of a kind, and at first: a page that opens may show data from a cache,
 * which is older than the last number.
 */
export function useEachNewer(kind: ActivityKind, run: () => void, enabled = true): void {
  const newest = useActivity(kind, enabled);
  const known = useRef<number>(undefined);
  useEffect(() => {
    if (newest === undefined || newest === known.current) return;
    known.current = newest;
    run();
  }, [newest, run]);
}

/**
 * Follows the activity while there are listeners and the tab is visible: a browser has few connections to a server, and
 * hidden tabs must not hold them. All listeners share one connection. Returns a function that removes the listener.
 */
function follow(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', connectWhileVisible);
    window.addEventListener('offline', connectAgain);
  }
  connectWhileVisible();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', connectWhileVisible);
    window.removeEventListener('offline', connectAgain);
    disconnect();
    noteReachable();
  };
}

function followNothing(): () => void {
  return () => undefined;
}

/** Opens a new stream: without a network the open one stays silent, and the new one fails. */
function connectAgain(): void {
  disconnect();
  connectWhileVisible();
}

function connectWhileVisible(): void {
  if (document.hidden) {
    disconnect();
    return;
  }
  if (source !== undefined) return;
  const opened = new EventSource(urlOf('GET /api/admin/activity'));
  source = opened;
  expectWithin(answerMs);
  opened.addEventListener('message', ({ data }) => {
    expectWithin(heartbeatMs * maxMissedHeartbeats);
    publish(JSON.parse(data));
  });
  opened.addEventListener('heartbeat', ({ data }) => {
    heartbeatMs = Number(data);
    expectWithin(heartbeatMs * maxMissedHeartbeats);
  });
  opened.addEventListener('open', noteReachable);
  opened.addEventListener('error', () => {
    noteBroken(askOnce);
    // After a lost connection the browser connects again by itself; after an error answer it does not.
    if (opened.readyState !== EventSource.CLOSED) return;
    disconnect();
    retrying = setTimeout(connectWhileVisible, retryMs);
    void askOnce().then((reachable) => {
      if (reachable) noteReachable();
    });
  });
}

/**
 * Expects a message within a time, in milliseconds, and opens a new stream without one: a connection can die without an
 * error, and the browser then waits for ever.
 */
function expectWithin(ms: number): void {
  clearTimeout(silence);
  silence = setTimeout(() => {
    noteBroken(askOnce);
    connectAgain();
  }, ms);
}

/** The answers of a proxy whose server is unreachable. */
const unreachableStatuses: readonly number[] = [502, 503, 504];

/**
 * Asks once while the stream cannot be opened, and returns whether the server answered. Live pages then load
 * everything; a 401 ends the session as always.
 */
async function askOnce(): Promise<boolean> {
  try {
    const newest = await api('GET /api/admin/newest', { signal: AbortSignal.timeout(answerMs) });
    const now = Date.now();
    publish({ events: newest.eventId, changeRequests: now, settings: now, signals: now, runs: now, deliveries: now });
    return true;
  } catch (error) {
    return error instanceof ApiError && !unreachableStatuses.includes(error.status);
  }
}

function publish(current: Numbers): void {
  numbers = current;
  for (const listener of listeners) listener();
}

function disconnect(): void {
  clearTimeout(retrying);
  clearTimeout(silence);
  source?.close();
  source = undefined;
}
