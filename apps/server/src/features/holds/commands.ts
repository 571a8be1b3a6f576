import { badField, Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import type { BeforeCommit } from '../../storage/write.ts';
import {
  type Feature,
  type FeatureEvent,
  findFeature,
  findFeatures,
  inForce,
  type Lease,
  listStrategies,
  loadClientFeatures,
  notInEnvironment,
  presentLease,
  recordOf,
  requireUsable,
  statesIn,
} from '../flags/index.ts';
import type { LeaseRef, WantedLease } from './hold.ts';
import { isWeakened, requireMayEnd } from './ownership.ts';
import * as store from './store.ts';

/** A lease that was asked for, and whether it is a new one. */
export interface Placed {
  readonly lease: Lease;
  readonly isNew: boolean;
}

/**
 * Holds a flag in an environment in another state than the configured one. The same holder has one lease there: asking
 * again changes what it does, why and for how long, and nothing is recorded when that is what it does. 404 for an unknown flag, one of another
 * project, or an environment that it is not in; 400 when the flag is archived, when `expiresAt` is not in the future, and for more than
 * `limit` leases on a flag in an environment; 403 when it would shorten or replace what another
 * person holds, see {@link requireMayEnd}.
 */
export async function placeLease(tx: Tx, limit: number, wanted: WantedLease): Promise<Placed> {
  const { project, featureName, environment, holder, reason = null, expiresAt = null } = wanted;
  const feature = await requireUsable(tx.db, { project, featureName });
  const [states, leases] = await Promise.all([
    statesIn(tx.db, environment, [featureName]),
    store.leasesIn(tx.db, wanted),
  ]);
  if (!states.has(featureName)) throw notInEnvironment(featureName, environment);
  if (expiresAt !== null && expiresAt <= tx.now) throw badField('expiresAt', 'must be in the future');
  const how = {
    effect: wanted.effect,
    rollout: wanted.effect === 'rollout' ? wanted.rollout : null,
    reason,
    expiresAt,
  };
  const known = leases.find((one) => isHeldBy(one, holder));
  // Everybody is meant where nobody else can be; one that is placed again stays as it was meant.
  const isBare = async () => how.effect !== 'off' && !(await hasActiveStrategy(tx, wanted));
  if (known !== undefined) {
    const forEveryone = known.effect === 'off' ? await isBare() : known.forEveryone;
    return { lease: await change(tx, feature, known, { ...known, ...how, forEveryone }), isNew: false };
  }
  if (leases.length >= limit) {
    throw new Problem('ExceedsLimitError', `The limit of ${limit} leases on a flag in an environment is reached.`);
  }
  const wasServed = await served(tx, wanted);
  const { userId, name } = tx.by.actor;
  const lease = {
    ...how,
    featureName,
    environment,
    holder: { kind: holder.kind, key: holder.key, runId: holder.kind === 'run' ? holder.runId : null, userId, name },
    forEveryone: await isBare(),
    placedAt: tx.now,
  };
  const placed = { ...lease, id: await store.insertLease(tx, lease) };
  const event = { type: 'feature-lease-placed', environment, data: presentLease(placed) } as const;
  await settle(tx, feature, wasServed, leases, [...leases, placed], [event]);
  return { lease: placed, isNew: true };
}

/** What that holder holds of a flag; undefined when that is nothing. */
export async function findLease(db: Db, ref: LeaseRef): Promise<Lease | undefined> {
  return (await store.leasesIn(db, ref)).find((lease) => isHeldBy(lease, ref.holder));
}

const released = 'feature-lease-released' as const;

/** Lets go of a flag what that holder holds of it; answers whether it held anything. */
export async function releaseLease(tx: Tx, ref: LeaseRef): Promise<boolean> {
  return end(tx, ref, (lease) => isHeldBy(lease, ref.holder), released);
}

/** {@link releaseLease} of that id, whoever holds it. 403 for what another person holds, see {@link requireMayEnd}. */
export async function releaseLeaseOf(
  tx: Tx,
  place: store.Place & { readonly project: string },
  id: number,
): Promise<boolean> {
  const lease = (await store.leasesIn(tx.db, place)).find((one) => one.id === id);
  if (lease !== undefined) await requireMayEnd(tx, place.project, lease);
  return end(tx, place, (lease) => lease.id === id, released);
}

/** Ends what has expired on a flag in an environment by now. The cause of each expiry is that of the lease as it was. */
export async function expireLeases(tx: Tx, place: store.Place): Promise<void> {
  const leases = await store.leasesIn(tx.db, place);
  const held = inForce(leases)?.id;
  const expired = leases.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= tx.now);
  // The one in force goes last, so that the flag changes its state once.
  for (const { id } of expired.toSorted((a, b) => Number(a.id === held) - Number(b.id === held))) {
    const cause = await store.causeOfLease(tx.db, place, id);
    await tx.nested({ ...tx.by, cause }, (part) =>
      end(part, place, (lease) => lease.id === id, 'feature-lease-expired'),
    );
  }
}

/**
 * Ends the leases on flags as part of the change that archives them: who brings a flag back finds it off everywhere. Flags that are
 * moved keep theirs, and so does one whose configured state changes.
 */
export const releaseArchived: BeforeCommit = async (tx, { events }) => {
  const archived = events.flatMap(({ type, featureName }) => (type === 'feature-archived' ? (featureName ?? []) : []));
  const leases = await store.leasesOf(tx.db, archived);
  if (leases.length === 0) return;
  const ids = leases.map(({ id }) => id);
  await Promise.all([store.deleteLeases(tx, ids), store.putNoneInForce(tx, archived)]);
  const features = new Map((await findFeatures(tx.db, [...new Set(archived)])).map((one) => [one.name, one]));
  await recordOf(
    tx,
    leases.flatMap((lease) => {
      const feature = features.get(lease.featureName);
      const event = { type: released, environment: lease.environment, preData: presentLease(lease) };
      return feature === undefined ? [] : [{ feature, event }];
    }),
  );
};

function isHeldBy({ holder }: Lease, by: LeaseRef['holder']): boolean {
  return holder.kind === by.kind && holder.key === by.key;
}

async function change(tx: Tx, feature: Feature, before: Lease, after: Lease): Promise<Lease> {
  const [preData, data] = [presentLease(before), presentLease(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  if (isWeakened(before, after)) await requireMayEnd(tx, feature.project, before);
  const wasServed = await served(tx, before);
  const leases = await store.leasesIn(tx.db, before);
  await store.updateLease(tx, after);
  const event = { type: 'feature-lease-updated', environment: before.environment, preData, data } as const;
  const changed = leases.map((one) => (one.id === after.id ? after : one));
  await settle(tx, feature, wasServed, leases, changed, [event]);
  return after;
}

/** Ends those of the leases of a place; answers whether there were any. */
async function end(
  tx: Tx,
  place: store.Place,
  which: (lease: Lease) => boolean,
  type: typeof released | 'feature-lease-expired',
): Promise<boolean> {
  const leases = await store.leasesIn(tx.db, place);
  const ended = leases.filter(which);
  const feature = ended.length === 0 ? undefined : await findFeature(tx.db, place.featureName);
  if (feature === undefined) return false;
  const wasServed = await served(tx, place);
  await store.deleteLeases(
    tx,
    ended.map(({ id }) => id),
  );
  const left = leases.filter((lease) => !which(lease));
  const events = ended.map((lease) => ({ type, environment: place.environment, preData: presentLease(lease) }));
  await settle(tx, feature, wasServed, leases, left, events);
  return true;
}

async function hasActiveStrategy({ db }: Tx, { featureName, environment }: store.Place): Promise<boolean> {
  return (await listStrategies(db, [featureName], environment)).some(({ disabled }) => !disabled);
}

/** What SDKs get of a flag in an environment, as text to compare. */
interface Served {
  readonly text: string;
  readonly enabled: boolean;
}

async function served(tx: Tx, { featureName, environment }: store.Place): Promise<Served> {
  const [feature] = await loadClientFeatures(tx.db, [featureName]);
  const there = feature?.environments.find((one) => one.environment === environment);
  const strategies = (there?.strategies ?? [])
    .filter(({ disabled }) => !disabled)
    .map(({ id: _id, title: _title, ...sent }) => sent);
  const enabled = there?.enabled ?? false;
  return { text: JSON.stringify([enabled, strategies, there?.variantsJson]), enabled };
}

/** Puts the right one of the leases in force and records what happened, and what SDKs get if that is something else now. */
async function settle(
  tx: Tx,
  feature: Feature,
  was: Served,
  before: readonly Lease[],
  after: readonly Lease[],
  events: readonly (FeatureEvent & { readonly environment: string })[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const { environment } = first;
  const [held, holds] = [inForce(before), inForce(after)];
  const place = { featureName: feature.name, environment };
  if (held?.id !== holds?.id) await store.putInForce(tx, place, holds?.id ?? null);
  const is = await served(tx, place);
  const changed = {
    type: 'feature-effective-state-changed',
    environment,
    preData: { enabled: was.enabled, lease: held === undefined ? null : presentLease(held) },
    data: { enabled: is.enabled, lease: holds === undefined ? null : presentLease(holds) },
  } as const;
  const all = was.text === is.text ? events : [...events, changed];
  await recordOf(
    tx,
    all.map((event) => ({ feature, event })),
  );
}
