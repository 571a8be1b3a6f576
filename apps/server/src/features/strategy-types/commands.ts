import { Problem } from '../../kernel/errors.ts';
import { listVisibleNames } from '../../kernel/visible-names.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import * as store from './store.ts';
import {
  type DefinitionChange,
  type DefinitionInput,
  definitionEventData,
  newDefinition,
  type StrategyType,
} from './strategy-type.ts';

/** What an operator does not want of custom strategies (docs/spec#strategy-types). */
export interface StrategyPolicy {
  readonly noCreation: boolean;
  readonly noEditing: boolean;
}

/** Creates a strategy. 409 when the name is taken, 403 where the operator does not want any. */
export async function createDefinition(tx: Tx, policy: StrategyPolicy, input: DefinitionInput): Promise<StrategyType> {
  if (policy.noCreation) throw new Problem('OperationDeniedError', 'Custom strategies cannot be created here.');
  if ((await store.findDefinition(tx.db, input.name)) !== undefined) {
    throw new Problem('NameExistsError', `A strategy named ${input.name} exists already.`, {
      details: [{ message: 'is taken', path: 'name' }],
    });
  }
  const definition = newDefinition(input);
  await store.insertDefinition(tx, definition);
  tx.record({ type: 'strategy-created', data: definitionEventData(definition) });
  return definition;
}

/** Changes a strategy; flags that use it keep the parameters they have. Nothing is recorded when nothing changes. */
export async function updateDefinition(
  tx: Tx,
  policy: StrategyPolicy,
  name: string,
  change: DefinitionChange,
): Promise<void> {
  const before = await requireEditable(tx.db, policy, name);
  const { description = before.description, parameters } = change;
  const after: StrategyType = { ...before, description, parameters };
  const [was, is] = [definitionEventData(before), definitionEventData(after)];
  if (JSON.stringify(was) === JSON.stringify(is)) return;
  await store.updateDefinitionRow(tx, after);
  tx.record({ type: 'strategy-updated', data: is });
}

/** Deletes a strategy. 403 while a flag or a default strategy uses it: it would be on for nobody, and could not be changed any more. */
export async function deleteDefinition(tx: Tx, policy: StrategyPolicy, name: string): Promise<void> {
  await requireEditable(tx.db, policy, name);
  const [users, defaulting] = await Promise.all([store.listUsers(tx.db, name), store.listDefaulting(tx.db, name)]);
  const [flags, projects] = [listVisibleNames(tx.by, users), listVisibleNames(tx.by, defaulting)];
  if (flags !== undefined || projects !== undefined) {
    const user =
      flags === undefined
        ? `these projects have it as a default strategy: ${projects}`
        : `flags use it, of each project one is named: ${flags}`;
    throw new Problem('InvalidOperationError', `The strategy ${name} cannot be deleted while ${user}.`);
  }
  await store.deleteDefinitionRow(tx, name);
  tx.record({ type: 'strategy-deleted', data: { name } });
}

/** Advises against a strategy, or no longer. Nothing is recorded when that is so already. */
export async function setDeprecated(tx: Tx, name: string, deprecated: boolean): Promise<void> {
  const before = await requireDefinition(tx.db, name);
  if (before.deprecated === deprecated) return;
  await store.updateDefinitionRow(tx, { ...before, deprecated });
  tx.record({ type: deprecated ? 'strategy-deprecated' : 'strategy-reactivated', data: { name } });
}

/** The strategy, or a 404. */
export async function requireDefinition(db: Db, name: string): Promise<StrategyType> {
  const definition = await store.findDefinition(db, name);
  if (definition === undefined) throw new Problem('NotFoundError', `There is no strategy ${name}.`);
  return definition;
}

async function requireEditable(db: Db, policy: StrategyPolicy, name: string): Promise<StrategyType> {
  if (policy.noEditing) throw new Problem('OperationDeniedError', 'Custom strategies cannot be changed here.');
  const definition = await requireDefinition(db, name);
  if (definition.editable) return definition;
  throw new Problem('InvalidOperationError', `Every SDK knows the strategy ${name}: it cannot be changed.`);
}
