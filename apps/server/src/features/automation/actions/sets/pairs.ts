import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#storage/tx.ts';
import { findKind, releaseOf } from '../kinds/index.ts';
import type { Action, ActionSet } from './action-set.ts';
import { listSets } from './store.ts';

/** Two sets of one endpoint: one holds a flag, the other releases it. */
export interface Pair {
  readonly holding: ActionSet;
  readonly releasing: ActionSet;
  /** The set that does both. */
  readonly merged: ActionSet;
  /** Why the two cannot be merged without a change of what they do; empty when they can. */
  readonly problems: readonly string[];
}

/** The condition of holds without the parameter `key`. */
const commonKey = 'actions';

/** Returns the pairs of sets of a project, oldest first. */
export async function findPairs(db: Db, project: string): Promise<Pair[]> {
  const sets = await listSets(db, project);
  return sets
    .filter(holds)
    .flatMap((holding) =>
      sets.filter((other) => isPair(holding, other)).map((releasing) => pairOf(holding, releasing, sets)),
    );
}

/** Returns the pair of two sets; undefined when the second releases nothing that the first holds. */
export async function findPair(
  db: Db,
  project: string,
  holdingId: number,
  releasingId: number,
): Promise<Pair | undefined> {
  const pairs = await findPairs(db, project);
  return pairs.find(({ holding, releasing }) => holding.id === holdingId && releasing.id === releasingId);
}

/** Returns whether a set holds flags that another set or a person releases. */
function holds({ releaseFilters, actions }: ActionSet): boolean {
  return releaseFilters === null && actions.some(isHold);
}

function isHold({ action }: Pick<Action, 'action'>): boolean {
  return findKind(action)?.release !== undefined;
}

function isPair(holding: ActionSet, releasing: ActionSet): boolean {
  if (holding.id === releasing.id || holding.endpointId !== releasing.endpointId) return false;
  // Sets that silence triggers are in no pair: only the release filters of a set itself see the end of a silence.
  if (holding.trigger === 'silence' || releasing.trigger === 'silence') return false;
  if (releasing.actions.length === 0 || !releasing.actions.every(isRelease)) return false;
  const held = new Set(heldPlaces(holding));
  return releasing.actions.some((action) => held.has(placeOf(action)));
}

function isRelease({ action }: Pick<Action, 'action'>): boolean {
  return action === 'RELEASE_FEATURE';
}

function heldPlaces({ actions }: ActionSet): string[] {
  return actions.flatMap((action) => releaseOf(action) ?? []).map(placeOf);
}

/** Returns the flag, environment and condition of an action that holds or releases, as text to compare. */
function placeOf({ executionParams: { featureName, environment, key } }: Pick<Action, 'executionParams'>): string {
  return JSON.stringify([featureName, environment, key ?? commonKey]);
}

function pairOf(holding: ActionSet, releasing: ActionSet, sets: readonly ActionSet[]): Pair {
  return {
    holding,
    releasing,
    merged: mergedSet(holding, releasing),
    problems: [...differences(holding, releasing), ...otherHolders(holding, releasing, sets)],
  };
}

/**
 * Returns the holding set with the filters of the releasing set. Its actions keep the condition of their holds, so that
 * the merged set also releases the holds from before the merge.
 */
function mergedSet(holding: ActionSet, { filters }: ActionSet): ActionSet {
  const actions = holding.actions.map((action) =>
    isHold(action) ? { ...action, executionParams: { key: commonKey, ...action.executionParams } } : action,
  );
  return { ...holding, releaseFilters: filters, actions };
}

/** Returns sentences about the differences of two sets that would change what they do when they are merged. */
function differences(holding: ActionSet, releasing: ActionSet): string[] {
  const [held, released] = [new Set(heldPlaces(holding)), new Set(releasing.actions.map(placeOf))];
  const [first, second] = [`“${holding.name}”`, `“${releasing.name}”`];
  const array = ({ forEach }: ActionSet) => (forEach === null ? 'the whole payload' : `each element of ${forEach}`);
  const mode = ({ shadow }: ActionSet) => (shadow ? 'is in shadow mode' : 'is not in shadow mode');
  const state = ({ enabled }: ActionSet) => (enabled ? 'is on' : 'is off');
  return [
    holding.forEach !== releasing.forEach && `${first} reads ${array(holding)}, ${second} ${array(releasing)}.`,
    holding.actorId !== releasing.actorId && `${first} and ${second} run as different service accounts.`,
    holding.enabled !== releasing.enabled && `${first} ${state(holding)}, ${second} ${state(releasing)}.`,
    holding.shadow !== releasing.shadow && `${first} ${mode(holding)}, ${second} ${mode(releasing)}.`,
    !isDeepStrictEqual(held, released) && `${first} does not hold exactly the flags that ${second} releases.`,
    !isDeepStrictEqual(holding.allow ?? null, releasing.allow ?? null) &&
      usesAllowed(holding) &&
      `${first} and ${second} allow different flags, tags or environments.`,
    Object.keys(releasing.guards).length > 0 &&
      !isDeepStrictEqual(holding.guards, releasing.guards) &&
      `${second} has guards that ${first} does not have.`,
    Object.keys(releasing.filters).length === 0 && `${second} has no filter: every other signal would release.`,
  ].filter((problem) => problem !== false);
}

function usesAllowed({ actions }: ActionSet): boolean {
  return actions.some(({ executionParams }) => JSON.stringify(executionParams).includes('{{'));
}

/** Returns a sentence for each other set whose holds nothing would release after the merge. */
function otherHolders(holding: ActionSet, releasing: ActionSet, sets: readonly ActionSet[]): string[] {
  return sets
    .filter((other) => other.id !== holding.id && holds(other) && isPair(other, releasing))
    .map(({ name }) => `“${releasing.name}” also releases what “${name}” holds.`);
}
