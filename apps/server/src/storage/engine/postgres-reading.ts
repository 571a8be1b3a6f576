import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { gather } from './postgres-gathering.ts';

interface Waiting {
  readonly query: QueryConfig;
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reading through a pool of connections that take a statement before the one before it is answered: what is asked without
 * waiting for an answer in between goes over one of them. A page that takes seven statements then costs one round trip
 * and holds one connection instead of seven.
 */
export function readTogether(pool: Pool): (query: QueryConfig) => Promise<QueryResult> {
  let gathered: Waiting[] = [];
  const send = async () => {
    const waiting = gathered;
    gathered = [];
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    client.release(await answerAll(client, waiting));
  };
  return (query) =>
    new Promise((resolve, reject) => {
      // The next tick comes when no promise is left to go on with, and so nothing more to ask before an answer.
      if (gathered.push({ query, resolve, reject }) === 1) process.nextTick(send);
    });
}

/** Resolves when every statement was answered, with the last failure: a connection that had one is not used again. */
async function answerAll(client: PoolClient, waiting: readonly Waiting[]): Promise<Error | undefined> {
  let failure: Error | undefined;
  // A connection that breaks says so here too; each statement hears of it by itself.
  const onError = (error: Error) => {
    failure = error;
  };
  client.on('error', onError);
  gather(client);
  await Promise.all(
    waiting.map(({ query, resolve, reject }) =>
      client.query(query).then(resolve, (error: Error) => {
        failure = error;
        reject(error);
      }),
    ),
  );
  client.off('error', onError);
  return failure;
}
