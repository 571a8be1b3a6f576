import type { Tx } from '../../storage/tx.ts';
import { archiveFeatures, type FlagPlan, writeFlags } from '../flags/index.ts';
import { listSegments } from '../segments/index.ts';
import type { StatePlan } from './plan.ts';

/** Makes a plan real that was made in this same change and has no faults. */
export async function applyPlan(tx: Tx, plan: StatePlan): Promise<void> {
  for (const { run } of plan.operations) await run(tx);
  await writeFlags(tx, await withRealSegments(tx, plan));
  // A flag that depended on one that goes may have just been told not to.
  for (const [project, featureNames] of plan.archived) await archiveInParts(tx, project, featureNames);
  for (const { run } of plan.lastOperations) await run(tx);
}

/** Most flags that one statement names. */
const chunk = 1000;

/** Children before their parents: the dependency of an archived flag is forgotten, and a parent in use cannot go. */
async function archiveInParts(tx: Tx, project: string, names: readonly string[]): Promise<void> {
  const children = await dependingAmong(tx, names);
  const ordered = [...names.filter((name) => children.has(name)), ...names.filter((name) => !children.has(name))];
  for (let from = 0; from < ordered.length; from += chunk) {
    await archiveFeatures(tx, { project, featureNames: ordered.slice(from, from + chunk) });
  }
}

async function dependingAmong(tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>> {
  const children = new Set<string>();
  for (let from = 0; from < names.length; from += chunk) {
    const part = names.slice(from, from + chunk);
    const rows = await tx.db.selectFrom('feature_dependencies').select('child').where('child', 'in', part).execute();
    for (const { child } of rows) children.add(child);
  }
  return children;
}

/** Strategies with the ids that segments got which were created just now. */
async function withRealSegments(tx: Tx, { flags, segmentNames }: StatePlan): Promise<readonly FlagPlan[]> {
  if (![...segmentNames.keys()].some((id) => id < 0)) return flags;
  const ids = new Map((await listSegments(tx.db)).map(({ name, id }) => [name, id]));
  const real = (id: number) => (id < 0 ? (ids.get(segmentNames.get(id) ?? '') ?? id) : id);
  return flags.map(({ before, after }) => ({
    before,
    after: {
      ...after,
      environments: new Map(
        [...after.environments].map(([name, state]) => {
          if (!state.strategies.some(({ segments }) => segments.some((id) => id < 0))) return [name, state];
          const strategies = state.strategies.map((one) => ({
            ...one,
            segments: one.segments.map(real).toSorted((a, b) => a - b),
          }));
          return [name, { ...state, strategies }];
        }),
      ),
    },
  }));
}
