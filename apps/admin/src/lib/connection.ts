import { useSyncExternalStore } from 'react';

/**
 * The time in milliseconds that the browser has to open a broken stream again. After it, a request checks whether the
 * server is reachable.
 */
const graceMs = 4000;

const listeners = new Set<() => void>();
let brokenAt: number | undefined;
let lostSince: number | undefined;
let asking: ReturnType<typeof setTimeout> | undefined;

/**
 * Returns when the connection to the server was lost, in milliseconds since 1970; undefined while the server is
 * connected.
 */
export function useLostSince(): number | undefined {
  return useSyncExternalStore(subscribe, () => lostSince);
}

/**
 * Notes that the stream broke. The connection counts as lost if the stream is still broken after {@link graceMs} and
 * `isReachable` resolves to false. A broken stream alone is no proof, because browsers take 3 to 10 seconds to open it
 * again.
 */
export function noteBroken(isReachable: () => Promise<boolean>): void {
  brokenAt ??= Date.now();
  if (lostSince !== undefined) return;
  asking ??= setTimeout(async () => {
    const reachable = await isReachable();
    asking = undefined;
    if (reachable) noteReachable();
    else setLostSince(brokenAt);
  }, graceMs);
}

/** Notes that the server answers, or that the stream is no longer followed. */
export function noteReachable(): void {
  clearTimeout(asking);
  asking = undefined;
  brokenAt = undefined;
  setLostSince(undefined);
}

function setLostSince(at: number | undefined): void {
  if (lostSince === at) return;
  lostSince = at;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
