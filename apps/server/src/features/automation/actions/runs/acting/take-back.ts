import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { changeTags, markStale, setFeatureEnabled } from '#features/flags/flags/index.ts';
import { presentHold } from '#features/flags/held-state/index.ts';
import { findHold, type HoldRequest, placeHold, releaseHold } from '#features/flags/holds/index.ts';
import {
  changeStrategy,
  deleteStrategy,
  listStrategies,
  type Strategy,
  strategyEventData,
} from '#features/flags/strategies/index.ts';
import { changeVariants, type FlagVariant, listVariants } from '#features/flags/variants/index.ts';
import { findHeldMilestone, type Place } from '#features/releases/release-plans/index.ts';
import { Problem } from '#kernel/errors.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { KindLimits } from '../../kinds/index.ts';
import { toChange } from '../record/outcome.ts';
import { beginRun, finishRun, type RunWithSignal, takenBackBy } from '../record/store.ts';

/**
 * Undoes the changes of a run, as a run of its own by the caller: the last change first, each by its direct command.
 * Rejects with 409 and changes nothing when the run changed nothing, was already taken back, or its flags were changed
 * since.
 */
export async function takeBack(tx: Tx, limits: KindLimits, run: RunWithSignal): Promise<number> {
  const events = await eventsOfRun(tx.db, run);
  if (events.length === 0) throw conflict('This run changed nothing that can be taken back.');
  const earlier = await takenBackBy(tx.db, run.id);
  if (earlier !== undefined) throw conflict(`This run was already taken back by run ${earlier}.`);
  const { signalId, tokenId, element } = run;
  const origin = { signalId, tokenId, element, cause: 'take-back', takesBackRunId: run.id, alert: null } as const;
  const id = await beginRun(tx, origin, run.set);
  const cause = { ...tx.by.cause, signalId, runId: id };
  await tx.nested({ ...tx.by, cause }, async (part) => {
    for (const event of events.toReversed()) await undoEvent(part, limits, event);
  });
  const changes = tx.recorded().map(toChange);
  if (changes.length === 0) throw conflict('None of the changes of this run are still in effect.');
  const [first, ...others] = run.set.actions.map((action) => ({
    ...action,
    state: 'success' as const,
    details: null,
    changes: [],
    call: null,
  }));
  const actions = first === undefined ? [] : [{ ...first, changes }, ...others];
  await finishRun(tx, id, run.set, { state: 'success', reason: `Takes back run ${run.id}.`, actions });
  return id;
}

/** Returns the events of the changes that a run made, in order. */
export function eventsOfRun(db: Db, { id, signalId }: Pick<RunWithSignal, 'id' | 'signalId'>): Promise<EventRow[]> {
  const bySignal = db.selectFrom('events').selectAll().where('signal_id', '=', signalId);
  const changes = bySignal
    .where('run_id', '=', id)
    .where('type', 'not in', ['action-run-failed', 'action-run-stopped', 'action-run-approved', 'action-run-dropped']);
  return changes.orderBy('id').execute();
}

/** Undoes the change of one event. */
async function undoEvent(tx: Tx, limits: KindLimits, event: EventRow): Promise<void> {
  const project = event.project ?? '';
  const featureName = event.feature_name ?? '';
  const environment = event.environment ?? '';
  const place = { project, featureName, environment };
  const flags = { project, featureNames: [featureName] };
  const [before, after] = [dataOf(event, event.pre_data), dataOf(event, event.data)];
  switch (event.type) {
    case 'feature-environment-enabled':
    case 'feature-environment-disabled':
      return setFeatureEnabled(tx, { ...place, enabled: event.type === 'feature-environment-disabled' });
    case 'feature-strategy-add':
      await requireUnchanged(tx.db, place, after);
      return deleteStrategy(tx, { ...place, id: String(after['id']) });
    case 'feature-strategy-update':
      await requireUnchanged(tx.db, place, after);
      await changeStrategy(
        tx,
        limits.strategies,
        { ...place, id: String(after['id']) },
        () => before as Partial<Strategy>,
      );
      return;
    case 'feature-environment-variants-updated': {
      const current = (await listVariants(tx.db, [featureName])).find((list) => list.environment === environment);
      if (JSON.stringify(current?.variants ?? []) !== JSON.stringify(after['variants']))
        throw changedSince(featureName);
      const variants = before['variants'] as readonly FlagVariant[];
      return changeVariants(tx, { project, featureName, environments: [environment] }, 'variants', () => variants);
    }
    case 'feature-stale-on':
    case 'feature-stale-off':
      return markStale(tx, { ...flags, stale: event.type === 'feature-stale-off' });
    case 'feature-tagged':
      return changeTags(tx, flags, { added: [], removed: [toTag(after)], fieldOf: () => 'tag' });
    case 'feature-untagged':
      return changeTags(tx, flags, { added: [toTag(before)], removed: [], fieldOf: () => 'tag' });
    case 'feature-lease-placed':
      if (await isStillHeld(tx.db, place, after)) await releaseHold(tx, { ...place, holder: toHolder(after) });
      return;
    case 'feature-lease-updated': {
      if (!(await isStillHeld(tx.db, place, after))) return;
      const [hold, holder] = [await restorable(tx, place, before), toHolder(after)];
      if (hold === undefined) await releaseHold(tx, { ...place, holder });
      else await placeHold(tx, limits.holds, { ...place, ...hold, holder });
      return;
    }
    case 'feature-lease-released': {
      if ((await findHold(tx.db, { ...place, holder: toHolder(before) })) !== undefined)
        throw changedSince(featureName);
      const hold = await restorable(tx, place, before);
      if (hold !== undefined) await placeHold(tx, limits.holds, { ...place, ...hold });
      return;
    }
    default:
      // Consequences of a change are not undone, such as a suspended schedule or a tag that was created for it.
      return;
  }
}

async function requireUnchanged(
  db: Db,
  { featureName, environment }: { readonly featureName: string; readonly environment: string },
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const current = (await listStrategies(db, [featureName], environment)).find(({ id }) => id === after['id']);
  if (current === undefined || JSON.stringify(strategyEventData(current)) !== JSON.stringify(after))
    throw changedSince(featureName);
}

/** Returns whether the hold of an event still exists. Rejects with 409 when it was changed since. */
async function isStillHeld(
  db: Db,
  { featureName, environment }: { readonly featureName: string; readonly environment: string },
  data: HoldData,
): Promise<boolean> {
  const current = await findHold(db, { featureName, environment, holder: toHolder(data) });
  if (current !== undefined && !isDeepStrictEqual(presentHold(current), complete(data)))
    throw changedSince(featureName);
  return current !== undefined;
}

const dataColumn = jsonColumn<Readonly<Record<string, unknown>>>('events.data', z.record(z.string(), z.unknown()));

function dataOf({ id }: EventRow, text: string | null): Readonly<Record<string, unknown>> {
  return text === null ? {} : dataColumn.parse(text, id);
}

function toTag(data: Readonly<Record<string, unknown>>) {
  return { type: String(data['type']), value: String(data['value']) };
}

type HoldData = Readonly<Record<string, unknown>>;

/**
 * Returns the hold that an event recorded, to place it again; undefined when it would have expired meanwhile. A hold
 * that stays after its end (`onExpiry` is `keep`) is placed without an end if this time has passed. Rejects with 409
 * when the flag was held at a milestone that its release plan no longer has.
 */
async function restorable(tx: Tx, place: Place, data: HoldData) {
  const { effect, rollout, milestone, reason, expiresAt: text, onExpiry } = complete(data);
  const end = text === null ? null : Date.parse(text);
  const isPast = end !== null && end <= tx.now;
  if (isPast && onExpiry === 'release') return undefined;
  const held = { holder: toHolder(data), reason, expiresAt: isPast ? null : end, onExpiry };
  if (effect === 'rollout') return { ...held, effect, rollout: rollout ?? 0 };
  if (effect !== 'milestone') return { ...held, effect };
  const current = milestone && (await findHeldMilestone(tx.db, place, milestone.id));
  if (current == null) {
    const { featureName, environment } = place;
    throw conflict(
      `The flag ${featureName} was held at the milestone ${milestone?.name}, which its release plan in ${environment} no longer has. Undo the changes of the run by hand.`,
    );
  }
  return { ...held, effect, milestone: current };
}

function toHolder(data: HoldData): HoldRequest['holder'] {
  const { kind, key, runId, actionSetId, userId, name } = complete(data).heldBy;
  return kind === 'run' ? { kind, key, runId: runId ?? 0, actionSetId, account: { userId, name } } : { kind, key };
}

/**
 * Returns the data of a hold, completed for events of earlier versions: they name no set and no milestone, and do not
 * say what happens at the end of the hold.
 */
function complete(data: HoldData): ReturnType<typeof presentHold> {
  const hold = data as ReturnType<typeof presentHold>;
  const heldBy = { ...hold.heldBy, actionSetId: hold.heldBy.actionSetId ?? null };
  return { ...hold, milestone: hold.milestone ?? null, heldBy, onExpiry: hold.onExpiry ?? 'release' };
}

function changedSince(featureName: string): Problem {
  return conflict(`The flag ${featureName} was changed after this run. Undo the changes of the run by hand.`);
}

function conflict(message: string): Problem {
  return new Problem('ConflictError', message);
}
