import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { releaseOf } from '../kinds/index.ts';
import type { ActionSet, FormerEnd, ListeningSet, ReleaseRule } from './action-set.ts';
import type { DesiredSet } from './check.ts';
import { parseFormerEnds, setColumns } from './stored-set.ts';

/** The maximum number of earlier versions of a set that hold flags, because each is compared with each signal. */
const maxFormerEnds = 20;

/**
 * Keeps the way in which a set releases what it holds now, when an edit changes it: the end of an alert releases what
 * the alert held. Rejects with 409 when too many earlier versions of the set hold flags.
 */
export async function keepFormerEnd(tx: Tx, before: ActionSet, desired: DesiredSet): Promise<void> {
  const rule = before.releaseFilters === null || before.shadow ? undefined : ruleOf(before);
  if (rule === undefined || textOf(rule) === textOf(ruleOf(desired))) return;
  const { upToRunId } = await tx.db
    .selectFrom('action_runs')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('upToRunId'))
    .executeTakeFirstOrThrow();
  const others = (await formerEndsOf(tx.db, before.id)).filter((end) => textOf(end) !== textOf(rule));
  const ends = await stillHolding(tx.db, before.id, [...others, { ...rule, upToRunId: Number(upToRunId) }]);
  if (ends.length > maxFormerEnds)
    throw new Problem(
      'ConflictError',
      `${maxFormerEnds} earlier versions of the action set ${before.name} still hold flags. Release them before you change its filters or actions again.`,
    );
  await save(tx, before.id, ends);
}

/** Removes the ends of earlier versions that hold nothing any more, and returns the set with those that are left. */
export async function withoutIdleEnds(tx: Tx, set: ListeningSet): Promise<ListeningSet> {
  if (set.formerEnds.length === 0) return set;
  const formerEnds = await stillHolding(tx.db, set.id, set.formerEnds);
  if (formerEnds.length < set.formerEnds.length) await save(tx, set.id, formerEnds);
  return { ...set, formerEnds };
}

/** Returns the ends of versions that placed or renewed a hold which exists. */
async function stillHolding(db: Db, setId: number, ends: readonly FormerEnd[]): Promise<FormerEnd[]> {
  const row = await db
    .selectFrom('feature_leases')
    .select((eb) => eb.fn.min(eb.fn.coalesce('renewed_by_run_id', eb.lit(0))).as('oldest'))
    .where('action_set_id', '=', setId)
    .executeTakeFirst();
  const oldest = row?.oldest;
  return oldest == null ? [] : ends.filter(({ upToRunId }) => Number(oldest) <= upToRunId);
}

async function formerEndsOf(db: Db, setId: number): Promise<readonly FormerEnd[]> {
  const row = await db.selectFrom('action_sets').select('former_ends').where('id', '=', setId).executeTakeFirst();
  return parseFormerEnds({ id: setId, former_ends: row?.former_ends ?? null });
}

async function save(tx: Tx, setId: number, ends: readonly FormerEnd[]): Promise<void> {
  const text = ends.length === 0 ? null : setColumns.formerEnds.write(ends);
  await tx.db.updateTable('action_sets').set({ former_ends: text }).where('id', '=', setId).execute();
}

const newAction = { id: 0, createdAt: 0, createdByUserId: 0 };

/** Returns the rule of a set, whose actions keep only the parameters by which they release. */
function ruleOf({ endpointId, trigger, filters, releaseFilters, forEach, actions }: DesiredSet): ReleaseRule {
  const holding = actions.flatMap((action) => {
    const release = releaseOf(action);
    return release === undefined ? [] : { ...newAction, ...action, executionParams: release.executionParams };
  });
  return { endpointId, trigger, filters, releaseFilters, forEach, actions: holding };
}

function textOf({ endpointId, trigger, filters, releaseFilters, forEach, actions }: ReleaseRule): string {
  const holds = actions.map(({ action, executionParams }) => [action, executionParams]);
  return JSON.stringify([endpointId, trigger, filters, releaseFilters, forEach, holds]);
}
