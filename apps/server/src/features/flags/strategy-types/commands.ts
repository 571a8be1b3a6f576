import { Problem } from '#kernel/errors.ts';
import { listVisibleNames } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import * as store from './store.ts';
import {
  newStrategyType,
  type StrategyType,
  type StrategyTypeChange,
  type StrategyTypeInput,
  strategyTypeEventData,
} from './strategy-type.ts';

/** Restrictions of custom strategy types by settings (docs/spec#strategy-types). */
export interface StrategyPolicy {
  readonly noCreation: boolean;
  readonly noEditing: boolean;
}

/** Creates a custom strategy type. Rejects with 409 when the name is taken, and with 403 when settings forbid it. */
export async function createStrategyType(
  tx: Tx,
  policy: StrategyPolicy,
  input: StrategyTypeInput,
): Promise<StrategyType> {
  if (policy.noCreation)
    throw new Problem('OperationDeniedError', 'Creating custom strategies is disabled on this server.');
  if ((await store.findStrategyType(tx.db, input.name)) !== undefined) {
    throw new Problem('NameExistsError', `A strategy named ${input.name} exists already.`, {
      details: [{ message: 'is taken', path: 'name' }],
    });
  }
  const strategyType = newStrategyType(input);
  await store.insertStrategyType(tx, strategyType);
  tx.record({ type: 'strategy-created', data: strategyTypeEventData(strategyType) });
  return strategyType;
}

/** Changes a strategy type; existing strategies keep their parameters. Records nothing when nothing changes. */
export async function updateStrategyType(
  tx: Tx,
  policy: StrategyPolicy,
  name: string,
  change: StrategyTypeChange,
): Promise<void> {
  const before = await requireEditable(tx.db, policy, name);
  const { title = before.title, description = before.description, parameters } = change;
  const after: StrategyType = { ...before, title, description, parameters };
  const [preData, data] = [strategyTypeEventData(before), strategyTypeEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return;
  await store.updateStrategyTypeRow(tx, after);
  tx.record({ type: 'strategy-updated', preData, data });
}

/**
 * Deletes a strategy type. Rejects with 403 while a flag, a release plan or a default strategy uses it, because
 * strategies of a missing type are never on and cannot be edited.
 */
export async function deleteStrategyType(tx: Tx, policy: StrategyPolicy, name: string): Promise<void> {
  const before = await requireEditable(tx.db, policy, name);
  const [users, defaultProjects] = await Promise.all([
    store.flagsUsing(tx.db, name),
    store.projectsWithDefaultStrategy(tx.db, name),
  ]);
  const [flags, projects] = [listVisibleNames(tx.by, users), listVisibleNames(tx.by, defaultProjects)];
  if (flags !== undefined || projects !== undefined) {
    const user =
      flags === undefined
        ? `it is the default strategy of the projects ${projects}`
        : `flags use it, such as (one per project): ${flags}`;
    throw new Problem('InvalidOperationError', `The strategy ${name} cannot be deleted while ${user}.`);
  }
  const planned = listVisibleNames(tx.by, await store.flagsWithPlanUsing(tx.db, name));
  if (planned !== undefined)
    throw new Problem(
      'InvalidOperationError',
      `The strategy ${name} cannot be deleted while milestones of the release plans of ${planned} use it. Remove the plans or change their milestones first, also of archived flags.`,
    );
  await store.deleteStrategyTypeRow(tx, name);
  tx.record({ type: 'strategy-deleted', preData: strategyTypeEventData(before), data: { name } });
}

/** Deprecates or reactivates a strategy type. Records nothing when nothing changes. */
export async function setDeprecated(tx: Tx, name: string, deprecated: boolean): Promise<void> {
  const before = await requireStrategyType(tx.db, name);
  if (before.deprecated === deprecated) return;
  await store.updateStrategyTypeRow(tx, { ...before, deprecated });
  tx.record({ type: deprecated ? 'strategy-deprecated' : 'strategy-reactivated', data: { name } });
}

/** Returns the strategy type. Rejects with 404 when it does not exist. */
export async function requireStrategyType(db: Db, name: string): Promise<StrategyType> {
  const strategyType = await store.findStrategyType(db, name);
  if (strategyType === undefined) throw new Problem('NotFoundError', `There is no strategy ${name}.`);
  return strategyType;
}

async function requireEditable(db: Db, policy: StrategyPolicy, name: string): Promise<StrategyType> {
  if (policy.noEditing)
    throw new Problem('OperationDeniedError', 'Editing custom strategies is disabled on this server.');
  const strategyType = await requireStrategyType(db, name);
  if (strategyType.editable) return strategyType;
  throw new Problem('InvalidOperationError', `The strategy ${name} is built in and cannot be changed.`);
}
