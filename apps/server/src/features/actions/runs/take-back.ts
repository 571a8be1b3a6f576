import { Problem } from '../../../kernel/errors.ts';
import type { EventRow } from '../../../storage/tables/events.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import {
  changeStrategy,
  changeTags,
  changeVariants,
  deleteStrategy,
  type FlagVariant,
  listStrategies,
  listVariants,
  markStale,
  presentHold,
  type Strategy,
  setFeatureEnabled,
  strategyEventData,
} from '../../flags/index.ts';
import { findHold, type HoldRequest, placeHold, type RequestedEffect, releaseHold } from '../../holds/index.ts';
import type { KindLimits } from '../kinds/index.ts';
import { changeOf } from './run.ts';
import { beginRun, finishRun, type RunWithSignal, takenBackBy } from './store.ts';

/**
 * Takes back what a run has changed, as a run of its own by whoever asks: the last change first, each by the direct command. 409,
 * and nothing is changed, when there is nothing to take back, it was taken back before, or what it has changed was changed since.
 */
export async function takeBack(tx: Tx, limits: KindLimits, run: RunWithSignal): Promise<number> {
  const events = run.shadow ? [] : await eventsOfRun(tx.db, run);
  if (events.length === 0) throw conflict('This run has changed nothing that could be taken back.');
  const earlier = await takenBackBy(tx.db, run.id);
  if (earlier !== undefined) throw conflict(`This run was taken back already, by run ${earlier}.`);
  const { signalId, tokenId, element } = run;
  const id = await beginRun(tx, { signalId, tokenId, element, cause: 'take-back', takesBackRunId: run.id }, run.set);
  const cause = { ...tx.by.cause, signalId, runId: id };
  await tx.within({ ...tx.by, cause }, async (part) => {
    for (const event of events.toReversed()) await invert(part, limits, event);
  });
  const changes = tx.recorded().map(changeOf);
  if (changes.length === 0) throw conflict('Nothing is left of what this run has changed.');
  const [first, ...others] = run.set.actions.map((action) => ({
    ...action,
    state: 'success' as const,
    details: null,
    changes: [],
    call: null,
  }));
  const actions = first === undefined ? [] : [{ ...first, changes }, ...others];
  await finishRun(tx, id, run.set, { state: 'success', reason: `It takes back run ${run.id}.`, actions });
  return id;
}

/** The events that a run has recorded, in their order. */
export function eventsOfRun(db: Db, { id, signalId }: Pick<RunWithSignal, 'id' | 'signalId'>): Promise<EventRow[]> {
  const bySignal = db.selectFrom('events').selectAll().where('signal_id', '=', signalId);
  return bySignal.where('run_id', '=', id).orderBy('id').execute();
}

/** Undoes what one event tells of. */
async function invert(tx: Tx, limits: KindLimits, event: EventRow): Promise<void> {
  const project = event.project ?? '';
  const featureName = event.feature_name ?? '';
  const environment = event.environment ?? '';
  const place = { project, featureName, environment };
  const flags = { project, featureNames: [featureName] };
  const [before, after] = [parsed(event.pre_data), parsed(event.data)];
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
      const now = (await listVariants(tx.db, [featureName])).find((one) => one.environment === environment);
      if (JSON.stringify(now?.variants ?? []) !== JSON.stringify(after['variants'])) throw changedSince(featureName);
      const variants = before['variants'] as readonly FlagVariant[];
      return changeVariants(tx, { project, featureName, environments: [environment] }, 'variants', () => variants);
    }
    case 'feature-stale-on':
    case 'feature-stale-off':
      return markStale(tx, { ...flags, stale: event.type === 'feature-stale-off' });
    case 'feature-tagged':
      return changeTags(tx, flags, { added: [], removed: [tagIn(after)], fieldOf: () => 'tag' });
    case 'feature-untagged':
      return changeTags(tx, flags, { added: [tagIn(before)], removed: [], fieldOf: () => 'tag' });
    case 'feature-lease-placed':
      if (await isLeft(tx.db, place, after)) await releaseHold(tx, { ...place, holder: holderIn(after) });
      return;
    case 'feature-lease-updated':
      if (await isLeft(tx.db, place, after)) await placeHold(tx, limits.holds, { ...place, ...holdIn(before) });
      return;
    case 'feature-lease-released': {
      const hold = holdIn(before);
      if ((await findHold(tx.db, { ...place, ...hold })) !== undefined) throw changedSince(featureName);
      // It would have ended by itself meanwhile.
      if (hold.expiresAt === null || hold.expiresAt > tx.now) await placeHold(tx, limits.holds, { ...place, ...hold });
      return;
    }
    default:
      // What follows from a change, such as a suspended schedule or a tag that was created for it, stays.
      return;
  }
}

async function requireUnchanged(
  db: Db,
  { featureName, environment }: { readonly featureName: string; readonly environment: string },
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const now = (await listStrategies(db, [featureName], environment)).find(({ id }) => id === after['id']);
  if (now === undefined || JSON.stringify(strategyEventData(now)) !== JSON.stringify(after))
    throw changedSince(featureName);
}

/** Returns whether the hold of an event is still in place. Rejects with 409 when it was updated or replaced since. */
async function isLeft(
  db: Db,
  { featureName, environment }: { readonly featureName: string; readonly environment: string },
  data: Spoken,
): Promise<boolean> {
  const now = await findHold(db, { featureName, environment, holder: holderIn(data) });
  if (now !== undefined && JSON.stringify(presentHold(now)) !== JSON.stringify(data)) throw changedSince(featureName);
  return now !== undefined;
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  return text === null ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function tagIn(data: Readonly<Record<string, unknown>>) {
  return { type: String(data['type']), value: String(data['value']) };
}

type Spoken = Readonly<Record<string, unknown>>;

/** Returns the hold that an event stores. */
function holdIn(
  data: Spoken,
): RequestedEffect & { holder: HoldRequest['holder']; reason: string | null; expiresAt: number | null } {
  const { effect, rollout, reason, expiresAt } = data as ReturnType<typeof presentHold>;
  const held = { holder: holderIn(data), reason, expiresAt: expiresAt === null ? null : Date.parse(expiresAt) };
  return effect === 'rollout' ? { ...held, effect, rollout: rollout ?? 0 } : { ...held, effect };
}

function holderIn(data: Spoken): HoldRequest['holder'] {
  const { heldBy } = data as ReturnType<typeof presentHold>;
  return heldBy.kind === 'run'
    ? { kind: 'run', key: heldBy.key, runId: heldBy.runId ?? 0 }
    : { kind: 'person', key: heldBy.key };
}

function changedSince(featureName: string): Problem {
  return conflict(`What the run has changed of ${featureName} was changed since. Take it back by hand.`);
}

function conflict(message: string): Problem {
  return new Problem('ConflictError', message);
}
