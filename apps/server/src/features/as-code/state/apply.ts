import { type FlagPlan, writeFlags } from '#features/flags/definitions/index.ts';
import { archiveFeatures } from '#features/flags/flags/index.ts';
import { applyChanges } from '#features/review/change-requests/index.ts';
import type { Tx } from '#storage/tx.ts';
import { changeLimits, type StateLimits } from './options.ts';
import type { StatePlan } from './plan.ts';
import { realSegmentIds, type ToRealId } from './segment-ids.ts';

/** Applies a plan that was made in the same transaction and has no faults. */
export async function applyPlan(tx: Tx, limits: StateLimits, plan: StatePlan): Promise<void> {
  for (const { run } of plan.operations) await run(tx);
  const toRealId = await realSegmentIds(tx, plan.segmentNames);
  for (const { run } of plan.releaseTemplates) await run(tx, toRealId);
  await writeFlags(tx, withRealSegments(plan.flags, toRealId));
  for (const { place, operations } of plan.releasePlans)
    await applyChanges(tx, changeLimits(limits), place, operations(toRealId ?? ((id) => id)), '');
  // Archive flags last: a parent in use cannot be archived, and the changes above may remove the dependency on it.
  for (const [project, featureNames] of plan.archived) await archiveInChunks(tx, project, featureNames);
  for (const { run } of plan.lastOperations) await run(tx);
}

/** The maximum number of flags in one statement. */
const flagsPerStatement = 1000;

/** Returns the names of child flags before those of parents, because a parent that is in use cannot be archived. */
export async function childrenFirst(tx: Tx, names: readonly string[]): Promise<readonly string[]> {
  const children = await findChildren(tx, names);
  return [...names.filter((name) => children.has(name)), ...names.filter((name) => !children.has(name))];
}

async function archiveInChunks(tx: Tx, project: string, names: readonly string[]): Promise<void> {
  const ordered = await childrenFirst(tx, names);
  for (let from = 0; from < ordered.length; from += flagsPerStatement) {
    await archiveFeatures(tx, { project, featureNames: ordered.slice(from, from + flagsPerStatement) });
  }
}

async function findChildren(tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>> {
  const children = new Set<string>();
  for (let from = 0; from < names.length; from += flagsPerStatement) {
    const part = names.slice(from, from + flagsPerStatement);
    const rows = await tx.db.selectFrom('feature_dependencies').select('child').where('child', 'in', part).execute();
    for (const { child } of rows) children.add(child);
  }
  return children;
}

/** Replaces the temporary ids of new segments in strategies by the real ids. */
function withRealSegments(flags: readonly FlagPlan[], toRealId: ToRealId | undefined): readonly FlagPlan[] {
  if (toRealId === undefined) return flags;
  return flags.map(({ before, after }) => ({
    before,
    after: {
      ...after,
      environments: new Map(
        [...after.environments].map(([name, state]) => {
          if (!state.strategies.some(({ segments }) => segments.some((id) => id < 0))) return [name, state];
          const strategies = state.strategies.map((strategy) => ({
            ...strategy,
            segments: strategy.segments.map(toRealId).toSorted((a, b) => a - b),
          }));
          return [name, { ...state, strategies }];
        }),
      ),
    },
  }));
}
