import {
  type Feature,
  type FeatureEvent,
  type FeatureRef,
  type FeatureRefs,
  findFeature,
  recordEvents,
  requireFeatures,
  requireUsable,
} from '#features/flags/feature/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type Dependency, presentDependency } from './dependency.ts';
import { deleteDependencies, dependenciesOf, putDependency } from './store.ts';

export interface DependencyInput {
  readonly feature: string;
  readonly enabled?: boolean | undefined;
  readonly variants?: readonly string[] | undefined;
}

/**
 * Sets the parent of a flag, replacing its present parent. Rejects with 403 by docs/spec#flag-dependencies: no
 * self-reference, the parent is active and of the same project, one level deep. Records nothing when nothing changes.
 */
export async function addDependency(tx: Tx, ref: FeatureRef, input: DependencyInput): Promise<void> {
  const child = await requireUsable(tx.db, ref);
  await requireValidParent(tx.db, child, input.feature);
  const before = (await dependenciesOf(tx.db, [child.name])).parents[0];
  const enabled = input.enabled ?? true;
  const variants = enabled ? [...new Set(input.variants ?? [])] : [];
  const after: Dependency = { child: child.name, parent: input.feature, enabled, variants };
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await putDependency(tx, after);
  const events: FeatureEvent[] = [{ type: 'feature-dependency-added', data: presentDependency(after) }];
  if (before !== undefined && before.parent !== after.parent) events.unshift(removedEvent(before));
  await recordEvents(tx, child, ...events);
}

/** Removes the parent of a flag. Records no event when it has none. */
export async function removeDependencies(tx: Tx, ref: FeatureRef): Promise<void> {
  const child = await requireUsable(tx.db, ref);
  if ((await dependenciesOf(tx.db, [child.name])).parents.length === 0) return;
  await deleteDependencies(tx, [child.name]);
  await recordEvents(tx, child, { type: 'feature-dependencies-removed' });
}

/** Removes `parent` as the parent of a flag. Rejects with 404 when it is not the parent. */
export async function removeDependency(tx: Tx, ref: FeatureRef, parent: string): Promise<void> {
  const child = await requireUsable(tx.db, ref);
  const before = (await dependenciesOf(tx.db, [child.name])).parents[0];
  if (before?.parent !== parent) {
    throw new Problem('NotFoundError', `The flag ${child.name} does not depend on ${parent}.`);
  }
  await deleteDependencies(tx, [child.name]);
  await recordEvents(tx, child, removedEvent(before));
}

/**
 * Returns the dependencies that archiving flags would break or delete. Rejects with 404 for a flag that the project
 * does not have.
 */
export async function previewArchiving(db: Db, refs: FeatureRefs) {
  const names = (await requireFeatures(db, refs)).map(({ name }) => name);
  const { parents, children } = await dependenciesOf(db, names);
  const activeChildren = children.filter(({ child }) => !names.includes(child));
  return {
    parentsWithChildFeatures: [...new Set(activeChildren.map(({ parent }) => parent))],
    hasDeletedDependencies: parents.length > 0,
  };
}

/**
 * Deletes the dependencies of flags that are being archived and returns the flags that had one. Rejects with 403 when a
 * flag that stays active depends on one of them.
 */
export async function removeDependenciesOfArchived(tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { parents, children } = await dependenciesOf(tx.db, names);
  const activeChildren = children.filter(({ child }) => !names.includes(child));
  if (activeChildren.length > 0) {
    const list = activeChildren.map(({ child, parent }) => `${child} on ${parent}`).join(', ');
    throw new Problem(
      'InvalidOperationError',
      `Active flags depend on the flags to be archived: ${list}. Remove these dependencies first, or archive these flags too.`,
    );
  }
  if (parents.length > 0)
    await deleteDependencies(
      tx,
      parents.map(({ child }) => child),
    );
  return new Set(parents.map(({ child }) => child));
}

async function requireValidParent(db: Db, child: Feature, parentName: string): Promise<void> {
  if (parentName === child.name) throw invalidDependency(`The flag ${child.name} cannot depend on itself.`);
  const [parent, { parents, children }] = await Promise.all([
    findFeature(db, parentName),
    dependenciesOf(db, [child.name, parentName]),
  ]);
  // A flag of another project gets the same answer as an unknown flag, so that its existence is not disclosed.
  if (parent === undefined || parent.project !== child.project) {
    throw invalidDependency(`The project ${child.project} has no flag ${parentName} to depend on.`);
  }
  if (parent.archivedAt !== null) throw invalidDependency(`The flag ${parentName} is archived.`);
  const grandparent = parents.find((dependency) => dependency.child === parentName);
  if (grandparent !== undefined)
    throw invalidDependency(
      `The flag ${parentName} depends on ${grandparent.parent}. A flag with a parent cannot be a parent.`,
    );
  const grandchild = children.find((dependency) => dependency.parent === child.name);
  if (grandchild !== undefined)
    throw invalidDependency(
      `The flag ${grandchild.child} depends on ${child.name}. A flag with children cannot have a parent.`,
    );
}

function invalidDependency(message: string): Problem {
  return new Problem('InvalidOperationError', message, { details: [{ message, path: 'feature' }] });
}

function removedEvent({ parent }: Dependency): FeatureEvent {
  return { type: 'feature-dependency-removed', data: { feature: parent } };
}
