import type { Client, PoolClient } from 'pg';

/**
 * Corks the socket of a connection until the end of the tick, so that the statements of one tick leave in one write:
 * each write wakes the database process, which costs more than most statements. Returns whether this begins a write.
 */
export function corkForTick(client: PoolClient): boolean {
  const { stream } = (client as PoolClient & Pick<Client, 'connection'>).connection;
  if (stream.writableCorked > 0) return false;
  stream.cork();
  // process.nextTick runs after all pending promise callbacks: the write includes every statement sent without waiting
  // for I/O.
  process.nextTick(() => stream.uncork());
  return true;
}
