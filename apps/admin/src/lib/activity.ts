import type { activitySchema } from '@yardarm/contract';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { z } from 'zod';
import { ApiError, api, urlOf } from './api.ts';
import { noteBroken, noteReachable } from './connection.ts';

type Numbers = z.output<typeof activitySchema>;
export type ActivityKind = Exclude<keyof Numbers, 'epoch'>;

/** The delay before connecting again after an error answer, in milliseconds. */
const retryMs = 10_000;
/** The time that the server has to open the stream or to answer a request, in milliseconds. */
const answerMs = 10_000;
/**
 * The number of heartbeat intervals after which a silent stream counts as dead, even if the browser still shows it as
 * open.
 */
const maxMissedHeartbeats = 2.5;

const listeners = new Set<() => void>();
let numbers: Numbers | undefined;
let source: EventSource | undefined;
let retrying: ReturnType<typeof setTimeout> | undefined;
let silence: ReturnType<typeof setTimeout> | undefined;
/**
 * The interval of heartbeats, in milliseconds. It starts as the default of the server; each heartbeat contains the
 * actual interval.
 */
let heartbeatMs = 25_000;

/**
 * Returns a number that changes when there is something new of a kind. For `events` it is the id of the newest event.
 * Undefined until the number is known.
 */
export function useActivity(kind: ActivityKind, enabled = true): number | undefined {
  return useSyncExternalStore(enabled ? follow : followNothing, () => (enabled ? numbers?.[kind] : undefined));
}

/**
 * Returns the epoch of the event log: when it changes, the log went back with its database, and events that a page
 * shows may be lost. Undefined until it is known.
 */
export function useLogEpoch(): string | undefined {
  return useSyncExternalStore(follow, () => numbers?.epoch);
}

/**
 * Calls `run` whenever there is something new of a kind, or of several. Also calls it once at first, because a new page
 * may show data from a cache that is older than the current number. A call waits for the end of the one before, and
 * stands for all that is new until then: a query that loads again drops its running request, so that with more news
 * than answers it would never show any.
 */
export function useEachNewer(
  kinds: ActivityKind | readonly ActivityKind[],
  run: () => Promise<unknown>,
  enabled = true,
): void {
  const newest = useSyncExternalStore(enabled ? follow : followNothing, () =>
    enabled && numbers !== undefined ? newestOf([kinds].flat(), numbers) : undefined,
  );
  const known = useRef<string>(undefined);
  const isRunning = useRef(false);
  const [, setEnded] = useState(0);
  // Runs after each rendering, because the end of a call starts the next one.
  useEffect(() => {
    if (newest === undefined || newest === known.current || isRunning.current) return;
    known.current = newest;
    isRunning.current = true;
    void run().finally(() => {
      isRunning.current = false;
      setEnded((count) => count + 1);
    });
  });
}

function newestOf(kinds: readonly ActivityKind[], current: Numbers): string {
  // In another epoch of the event log, equal numbers may stand for other things.
  return [current.epoch, ...kinds.map((kind) => current[kind])].join(' ');
}

/**
 * Adds a listener of the activity. All listeners share one stream. It is open only while there are listeners and the
 * tab is visible, because a browser has few connections to a server, which hidden tabs must not occupy. Returns a
 * function that removes the listener.
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

/** Replaces the stream by a new one. Without a network the old stream only stays silent, but a new one fails. */
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
    // The browser connects again by itself after a lost connection, but not after an error answer.
    if (opened.readyState !== EventSource.CLOSED) return;
    disconnect();
    retrying = setTimeout(connectWhileVisible, retryMs);
    void askOnce().then((reachable) => {
      if (reachable) noteReachable();
    });
  });
}

/**
 * Starts to wait for the next message of the stream. Opens a new stream when none arrives in time (milliseconds),
 * because a connection can die without an error, for which the browser would wait for ever.
 */
function expectWithin(ms: number): void {
  clearTimeout(silence);
  silence = setTimeout(() => {
    noteBroken(askOnce);
    connectAgain();
  }, ms);
}

/** The statuses that a proxy answers when its server is unreachable. */
const unreachableStatuses: readonly number[] = [502, 503, 504];

/**
 * Sends one request while the stream cannot be opened, and returns whether the server answered. If it did, live pages
 * load everything again. A 401 ends the session, as for each request.
 */
async function askOnce(): Promise<boolean> {
  try {
    const newest = await api('GET /api/admin/newest', { signal: AbortSignal.timeout(answerMs) });
    const now = Date.now();
    publish({
      epoch: numbers?.epoch ?? '',
      events: newest.eventId,
      changeRequests: now,
      settings: now,
      signals: now,
      runs: now,
      deliveries: now,
    });
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
