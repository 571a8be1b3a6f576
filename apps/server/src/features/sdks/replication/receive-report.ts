import type { ReplicaReport } from '@yardarm/contract';
import { type ImpactRecorder, seriesOf } from '#features/metrics/impact-metrics/index.ts';
import type { TokenLookup } from '#features/people/api-tokens/index.ts';
import { scopeOf } from '#features/people/token-scopes/index.ts';
import type { Usage } from '#features/sdks/usage/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { badField } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import type { ReplicaScope } from './scope.ts';

export interface ReportReceivers {
  readonly database: Pick<Database, 'writeQuietly'>;
  readonly usage: Usage;
  readonly impactMetrics: ImpactRecorder;
  readonly tokens: TokenLookup;
  readonly clock: Clock;
}

const author: Author = { actor: systemActor, cause: {} };
const parts = ['instances', 'counts', 'samples'] as const;

/**
 * Counts the report of a replica once. Rejects with 400 when something is outside the scope of the replica. The number
 * of the report is stored first: a crash may lose the last seconds, as with reports of SDKs, and counts nothing twice.
 */
export async function receiveReport(
  { database, usage, impactMetrics, tokens, clock }: ReportReceivers,
  report: ReplicaReport,
  scope: ReplicaScope,
): Promise<void> {
  requireInScope(report, scope);
  if (!(await database.writeQuietly('usage metrics', author, (tx) => claim(tx, report)))) return;
  const instances = report.instances.map(({ projects, ...instance }) => ({ ...instance, scope: scopeOf(projects) }));
  const counts = report.counts.map(({ projects, variants, ...count }) => ({
    ...count,
    scope: scopeOf(projects),
    variants: new Map(Object.entries(variants)),
  }));
  usage.relay({ instances, counts });
  impactMetrics.relay(
    report.samples.map(({ projects, minute, value, environment: _, ...series }) => {
      const of = scopeOf(projects);
      return { series: seriesOf(series, of), scope: of, minute: startOfMinute(Math.min(minute, clock.now())), value };
    }),
  );
  // A token that is found counts as used.
  for (const id of report.tokens) await tokens.findById(id);
}

function startOfMinute(time: number): number {
  return time - (time % 60_000);
}

/** Stores the number of a report. Returns false when a report with this number or a higher one was received before. */
async function claim(tx: Tx, { replica, sequence }: ReplicaReport): Promise<boolean> {
  const stored = await tx.db
    .insertInto('replica_reports')
    .values({ replica, sequence, reported_at: tx.now })
    .onConflict((conflict) =>
      conflict
        .column('replica')
        .doUpdateSet({ sequence, reported_at: tx.now })
        .where('replica_reports.sequence', '<', sequence),
    )
    .returning('replica')
    .executeTakeFirst();
  return stored !== undefined;
}

function requireInScope(report: ReplicaReport, scope: ReplicaScope): void {
  for (const part of parts) {
    const outside = report[part].findIndex((item) => !scope.covers(item));
    if (outside >= 0) throw badField(`${part}.${outside}`, 'is outside the environments and projects of this token');
  }
  const wrong = report.samples.findIndex(({ environment, labels }) => labels['environment'] !== environment);
  if (wrong >= 0) throw badField(`samples.${wrong}.labels.environment`, 'must be the environment of the sample');
}
