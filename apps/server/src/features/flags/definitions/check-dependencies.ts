import type { Db } from '#storage/tx.ts';
import type { Fault } from './faults.ts';
import { loadDependencies, loadFlagDefinitions } from './load.ts';
import type { FlagPlan } from './plan.ts';

/**
 * Checks the dependencies that would hold after all plans are applied (docs/spec#flag-dependencies): no self-reference,
 * the parent is active and of the same project, one level deep. Checks new dependencies only, with a constant number of
 * statements for each thousand flags. Returns the violations by flag name.
 */
export async function checkDependencies(
  db: Db,
  plans: readonly FlagPlan[],
  archived: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Fault>> {
  const added = plans.flatMap(({ before, after }) =>
    after.dependency === undefined || after.dependency.parent === before?.dependency?.parent ? [] : [after.dependency],
  );
  if (added.length === 0) return new Map();
  const planned = new Map(plans.map(({ after }) => [after.feature.name, after]));
  const names = [...new Set(added.flatMap(({ child, parent }) => [child, parent]))];
  const parents = await loadFlagDefinitions(
    db,
    names.filter((name) => !planned.has(name)),
  );
  // The parents after all plans are applied: a plan overrides the stored dependency of its flag.
  const parentOf = new Map(
    (await loadDependencies(db, names)).map((dependency) => [dependency.child, dependency.parent]),
  );
  for (const { after } of plans) {
    if (after.dependency === undefined) parentOf.delete(after.feature.name);
    else parentOf.set(after.feature.name, after.dependency.parent);
  }
  for (const name of archived) parentOf.delete(name);
  const childOf = new Map([...parentOf].map(([child, parent]) => [parent, child]));
  const faults = new Map<string, Fault>();
  for (const { child, parent } of added) {
    const project = planned.get(child)?.feature.project;
    const found = planned.get(parent) ?? parents.get(parent);
    const message =
      child === parent
        ? 'a flag cannot depend on itself'
        : found === undefined || found.feature.project !== project
          ? `the project ${project} has no flag ${parent} to depend on`
          : found.feature.archivedAt !== null || archived.has(parent)
            ? `the flag ${parent} is archived`
            : parentOf.has(parent)
              ? `the flag ${parent} depends on ${parentOf.get(parent)}: a flag with a parent cannot be a parent`
              : childOf.has(child)
                ? `the flag ${childOf.get(child)} depends on ${child}: a flag with children cannot have a parent`
                : undefined;
    if (message !== undefined) faults.set(child, { path: 'dependency', message });
  }
  return faults;
}
