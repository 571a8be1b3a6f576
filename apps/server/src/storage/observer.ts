import type { Execute } from './kysely-connection.ts';

/** Learns how long the work of the database takes, in milliseconds. */
export interface DatabaseObserver {
  /** Called after each statement, with its SQL without values. The time includes that in which it waited. */
  statement(sql: string, ms: number): void;
  /** Called after each wait for a connection, or for the turn of a change among the changes of all processes. */
  waited(what: Wait, ms: number): void;
  /** Called for each message with statements of a change: statements that are sent together share one. */
  sent(): void;
}

export const waits = ['connection', 'change'] as const;
type Wait = (typeof waits)[number];

/** Observes nothing. */
export const unobserved: DatabaseObserver = {
  statement: () => undefined,
  waited: () => undefined,
  sent: () => undefined,
};

/** Returns the same function, telling the observer of each statement. */
export function timed(observer: DatabaseObserver, execute: Execute): Execute {
  return (sql, parameters) => timing(observer, sql, execute(sql, parameters));
}

/** Waits for the result of a statement that was sent just now, and tells the observer of it. */
export async function timing<T>(observer: DatabaseObserver, sql: string, result: Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await result;
  } finally {
    observer.statement(sql, performance.now() - begun);
  }
}

/** Waits, telling the observer how long. */
export async function waiting<T>(observer: DatabaseObserver, what: Wait, promise: Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await promise;
  } finally {
    observer.waited(what, performance.now() - begun);
  }
}

/** Returns the same work of a change, telling the observer how long it waits for its turn from now on. */
export function telling<Transaction, Result>(
  observer: DatabaseObserver,
  work: (transaction: Transaction) => Result,
): (transaction: Transaction) => Result {
  const begun = performance.now();
  return (transaction) => {
    observer.waited('change', performance.now() - begun);
    return work(transaction);
  };
}
