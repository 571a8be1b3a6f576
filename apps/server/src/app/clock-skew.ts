import { Loop } from '#kernel/loop.ts';
import { sql } from '#storage/tx.ts';
import type { ServiceDependencies } from './dependencies.ts';

const checkMs = 60_000;
/** A larger difference is logged: times of events, back-offs and expiries then differ between the processes. */
const maxSkewMs = 2000;
/** A measurement that takes longer is too inexact to count. */
const maxRoundTripMs = 1000;

type ClockParts = Pick<ServiceDependencies, 'database' | 'clock' | 'log' | 'lifetime' | 'metrics'>;

/**
 * Compares the clock of this process with that of PostgreSQL at the start and once a minute, so that processes with
 * different clocks are noticed: adds a metric, and logs when the difference becomes large. SQLite serves one process.
 */
export function watchClockSkew({ database, clock, log, lifetime, metrics }: ClockParts): void {
  let skewMs = Number.NaN;
  let isLarge = false;
  const check = async () => {
    const before = clock.now();
    const databaseNow = await timeOfDatabase(database.db);
    const after = clock.now();
    if (after - before > maxRoundTripMs) return;
    skewMs = (before + after) / 2 - databaseNow;
    const wasLarge = isLarge;
    isLarge = Math.abs(skewMs) > maxSkewMs;
    if (isLarge && !wasLarge) log.warn({ skewSeconds: skewMs / 1000 }, skewText(skewMs));
  };
  metrics.watch(
    'gauge',
    'clock_skew_seconds',
    'Seconds that the clock of this process is ahead of the clock of PostgreSQL. NaN before the first measurement, and with SQLite',
    () => skewMs / 1000,
  );
  if (database.engine === 'sqlite') return;
  const loop = new Loop({
    round: check,
    onError: (error) =>
      log.error({ err: error }, 'reading the time of the database failed; it is repeated in a minute'),
    firstMs: 0,
    everyMs: checkMs,
  });
  lifetime.onStop('clock check', () => loop.stop());
  loop.start();
}

function skewText(skewMs: number): string {
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this process is ${seconds} s ${direction} the clock of the database; synchronize the clocks of all machines (NTP)`;
}

async function timeOfDatabase(db: ServiceDependencies['database']['db']): Promise<number> {
  const { rows } = await sql<{
    ms: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  return Number(rows[0]?.ms);
}
