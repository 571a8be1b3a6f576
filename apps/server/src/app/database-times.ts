import { cutText } from '#kernel/cut-text.ts';
import type { ServiceLog } from '#observe/log.ts';
import type { Metrics } from '#observe/metrics.ts';
import { type DatabaseObserver, waits } from '#storage/observer.ts';

const maxLogged = 2000;

/**
 * Returns an observer that adds metrics of how long statements take and how long work waits for the database, and logs
 * statements that take `slowMs` or longer, without their values; none when it is 0.
 */
export function observeDatabase(metrics: Metrics, log: ServiceLog, slowMs: number): DatabaseObserver {
  const taken = metrics.sumEach(
    'database_statement_duration_seconds',
    'Time of statements, with the time in which they waited for a connection, by verb and table',
    'statement',
  );
  const waited = metrics.timeEach(
    'database_wait_duration_seconds',
    'Time of waiting for a connection to PostgreSQL, or for the turn of a change',
    'for',
    waits,
  );
  let messages = 0;
  metrics.watch(
    'counter',
    'database_change_messages_total',
    'Messages with statements of changes; statements that are sent together share one',
    () => messages,
  );
  return {
    sent: () => {
      messages += 1;
    },
    statement: (sql, ms) => {
      const statement = statementName(sql);
      taken(statement, ms / 1000);
      if (slowMs > 0 && ms >= slowMs) {
        log.warn(
          { statement, ms: Math.round(ms), sql: cutText(sql, maxLogged) },
          'a statement of the database was slow',
        );
      }
    },
    waited: (what, ms) => waited(what, ms / 1000),
  };
}

/** Returns the verb of a statement and its first table, such as `select events`. */
function statementName(sql: string): string {
  const verb = /^\s*(select|insert|update|delete|with)\b/i.exec(sql)?.[1]?.toLowerCase();
  const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql)?.[1];
  return verb === undefined || table === undefined ? 'other' : `${verb} ${table}`;
}
