import type { NormalizedSignal } from '@yardarm/contract';
import type { PendingSignal } from '#features/signals/signals/index.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { storableCondition } from '../../matching/index.ts';
import type { ActionSet } from '../../sets/index.ts';
import type { Outcome } from '../record/outcome.ts';
import { countUndecided, endedText, skipWaitingHolds } from '../record/waiting-store.ts';
import { isHolding, withHeldFlags } from '../views/holding.ts';
import { type RunLinks, runValues } from '../views/template-values.ts';
import type { CurrentRun } from './current-run.ts';

/** How long a hold waits for the decision of a person. */
export const decisionMs = 24 * 60 * 60 * 1000;
/** The maximum number of runs of a set that wait for a person. */
const maxUndecided = 100;

/** Returns whether so many runs of a set wait for a person that no further one may. */
export async function isFullOfQuestions(db: Db, setId: number): Promise<boolean> {
  return (await countUndecided(db, setId)) >= maxUndecided;
}

/** Returns why a run waits for a person. All these reasons have the same text before the colon. */
export function undecidedReason(halted: string): string {
  return `Waits for a person: ${halted}`;
}

/**
 * Returns the outcome of a run that a person has to decide about, because its alert may not be reported again. A set
 * with too many such runs skips the others.
 */
export async function askPerson(
  tx: Tx,
  links: RunLinks,
  { id, set, view, waitsFor }: CurrentRun,
  outcome: Outcome,
): Promise<Outcome> {
  if (await isFullOfQuestions(tx.db, set.id))
    return { ...outcome, reason: `${outcome.reason} ${maxUndecided} holds of this set wait for a person already.` };
  return {
    state: 'waiting',
    reason: undecidedReason(outcome.reason ?? ''),
    decideBy: tx.now + decisionMs,
    waitsFor: waitsFor ?? '',
    actions: withHeldFlags(outcome.actions, view, runValues(links, id)),
  };
}

/**
 * Drops the runs that wait for a person when a signal reports the end of their alert. Only for sets that do not release
 * what they hold: other sets have filters for the end of an alert.
 */
export async function dropEndedAlerts(
  tx: Tx,
  sets: readonly ActionSet[],
  { id, normalized }: Pick<PendingSignal, 'id' | 'normalized'>,
): Promise<void> {
  const holding = sets.filter(({ releaseFilters, actions }) => releaseFilters === null && actions.some(isHolding));
  if (holding.length === 0 || normalized === null) return;
  const { elements, ...whole } = JSON.parse(normalized) as NormalizedSignal;
  const ends = new Map<string, number | null>();
  for (const { state, fingerprint, formerFingerprint, occurredAt } of [whole, ...elements]) {
    const names = [fingerprint, formerFingerprint].flatMap((name) => (name == null ? [] : storableCondition(name)));
    const endedAt = occurredAt == null ? null : Date.parse(occurredAt);
    if (state === 'resolved') for (const name of names) ends.set(name, endedAt);
  }
  if (ends.size === 0) return;
  const setIds = holding.map((set) => set.id);
  await skipWaitingHolds(tx, { setIds, ends }, { reason: `${endedText}: see signal ${id}.`, undecidedOnly: true });
}
