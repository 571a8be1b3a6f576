import type { Client, PoolClient } from 'pg';

const gathering = new WeakSet<PoolClient>();

/**
 * Has what is asked of a pipelining connection from now on leave in one write when nothing more is asked without waiting
 * for an answer. Each write wakes the database, which costs more than most statements do.
 */
export function gather(client: PoolClient): void {
  if (gathering.has(client)) return;
  gathering.add(client);
  const { stream } = (client as PoolClient & Pick<Client, 'connection'>).connection;
  stream.cork();
  // The next tick comes when no promise is left to go on with, and so nothing more to ask before an answer.
  process.nextTick(() => {
    gathering.delete(client);
    stream.uncork();
  });
}
