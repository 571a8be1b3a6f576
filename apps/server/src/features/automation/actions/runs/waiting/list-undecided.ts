import { holdEffects, type NormalizedSignal } from '@yardarm/contract';
import { isoTime } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';
import { fromRow, type Run } from '../record/store.ts';
import { isHolding } from '../views/holding.ts';

/** A flag that a run would hold. A field keeps its template when the payload lacks the text. */
interface WouldHold {
  readonly featureName: string;
  readonly environment: string;
  readonly effect: (typeof holdEffects)[number];
  readonly rollout: number | null;
}

/** A run that waits for a person. */
export interface UndecidedRun {
  readonly run: Run;
  readonly holds: readonly WouldHold[];
  /** The title of the alert; null when its source is not known. */
  readonly title: string | null;
  /** When the alert began, or else when it was received; ISO 8601. */
  readonly since: string;
}

/** Returns the runs that wait for a person in these projects (undefined: in all), newest first, in one statement. */
export async function listUndecided(
  db: Db,
  { projects, limit }: { readonly projects: readonly string[] | undefined; readonly limit: number },
): Promise<UndecidedRun[]> {
  if (projects?.length === 0) return [];
  let query = db
    .selectFrom('action_runs as r')
    .leftJoin('signals as s', 's.id', 'r.signal_id')
    .selectAll('r')
    .select('s.normalized')
    .where('r.decide_by', 'is not', null)
    .orderBy('r.id', 'desc')
    .limit(limit);
  if (projects !== undefined) query = query.where('r.project', 'in', projects);
  const rows = await query.execute();
  return rows.map(({ normalized, ...row }) => {
    const run = fromRow(db, row);
    const known = normalized === null ? undefined : (JSON.parse(normalized) as NormalizedSignal);
    const alert = known?.elements[run.element ?? 0] ?? known;
    return {
      run,
      holds: run.set.actions.filter(isHolding).map(({ executionParams }) => wouldHold(executionParams)),
      title: alert?.title ?? known?.title ?? null,
      since: alert?.startedAt ?? isoTime(run.createdAt),
    };
  });
}

function wouldHold({ featureName, environment, effect, rollout }: Readonly<Record<string, unknown>>): WouldHold {
  return {
    featureName: String(featureName),
    environment: String(environment),
    effect: holdEffects.find((known) => known === effect) ?? 'off',
    rollout: effect === 'rollout' ? Number(rollout) : null,
  };
}
