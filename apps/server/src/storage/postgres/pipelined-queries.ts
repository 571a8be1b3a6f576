import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { oncePerTick } from '#kernel/event-loop.ts';
import { corkForTick } from './cork.ts';

interface QueuedQuery {
  readonly query: QueryConfig;
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a query function that pipelines the queries of one tick over one connection of the pool. A page of seven
 * queries then takes one round trip and one connection instead of seven.
 */
export function pipelinedQueries(connect: Connect): (query: QueryConfig) => Promise<QueryResult> {
  let queue: QueuedQuery[] = [];
  const sendLater = oncePerTick(() => {
    const queries = queue;
    queue = [];
    void send(connect, queries);
  });
  return (query) =>
    new Promise((resolve, reject) => {
      queue.push({ query, resolve, reject });
      sendLater();
    });
}

/** Returns a query function that gives each query a connection of the pool, so that no read waits behind its commit. */
export function separateQueries(connect: Connect): (query: QueryConfig) => Promise<QueryResult> {
  return (query) => new Promise((resolve, reject) => void send(connect, [{ query, resolve, reject }]));
}

type Connect = () => Promise<PoolClient>;

async function send(connect: Connect, queries: readonly QueuedQuery[]): Promise<void> {
  let client: PoolClient;
  try {
    client = await connect();
  } catch (error) {
    for (const { reject } of queries) reject(error);
    return;
  }
  client.release(await runAll(client, queries));
}

/** Runs queries and resolves with the last error, with which the caller removes the connection from the pool. */
async function runAll(client: PoolClient, queries: readonly QueuedQuery[]): Promise<Error | undefined> {
  let failure: Error | undefined;
  // A broken connection rejects each query, and also emits an error event, which would end the process without a
  // listener.
  const onError = (error: Error) => {
    failure = error;
  };
  client.on('error', onError);
  corkForTick(client);
  await Promise.all(
    queries.map(({ query, resolve, reject }) =>
      client.query(query).then(resolve, (error: Error) => {
        failure = error;
        reject(error);
      }),
    ),
  );
  client.off('error', onError);
  return failure;
}
