import { eventTypes } from '@yardarm/contract';
import { sdkChangeOf } from '#features/platform/event-effects/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';

/**
 * Returns whether an event may change the SDK answers and so advances their revision: Unleash's rule
 * (docs/spec#sdk-revision), extended by events that change many flags at once. Creating or deleting a segment does not,
 * because no flag uses it at that time. Holds do not either: their effect on a flag is recorded in a separate event.
 */
export function advancesRevision(event: Pick<EventRow, 'type' | 'feature_name'>): boolean {
  return changesManyFlags(event.type) || (event.feature_name !== null && changesOneFlag(event.type));
}

function changesManyFlags(type: string): boolean {
  return sdkChangeOf(type) === 'many flags';
}

function changesOneFlag(type: string): boolean {
  const change = sdkChangeOf(type);
  return change === 'flag' || change === 'flag and segments';
}

/** The id of an event that advances the revision of an environment; null for all environments. */
export interface Advance {
  readonly id: number;
  readonly environment: string | null;
}

/**
 * The revision of each environment: the id of the last event that may have changed the SDK answers there. It is
 * computed from the event log only, so it is the same in every process and after a restart, as long as the event is
 * kept.
 */
export class Revisions {
  readonly #byEnvironment = new Map<string, number>();
  #ofAll = 0;

  /** Returns the revisions to which these events lead. */
  static after(events: Iterable<Advance>): Revisions {
    const revisions = new Revisions();
    for (const event of events) revisions.advance(event);
    return revisions;
  }

  /** The last event of each environment, and that of all environments. */
  get newest(): readonly Advance[] {
    const each = [...this.#byEnvironment].map(([environment, id]) => ({ id, environment }));
    return this.#ofAll === 0 ? each : [{ id: this.#ofAll, environment: null }, ...each];
  }

  of(environment: string): number {
    return Math.max(this.#ofAll, this.#byEnvironment.get(environment) ?? 0);
  }

  /**
   * Advances the revisions by an event for which {@link advancesRevision}. Returns false, and changes nothing, for an
   * event that is not newer than one of its environment.
   */
  advance({ id, environment }: Advance): boolean {
    const known = environment === null ? this.#ofAll : (this.#byEnvironment.get(environment) ?? 0);
    if (id <= known) return false;
    if (environment === null) this.#ofAll = id;
    else this.#byEnvironment.set(environment, id);
    return true;
  }
}

/** Computes the current revisions from the event log, with one index lookup for each environment. */
export async function loadRevisions(db: Db): Promise<Revisions> {
  const revisions = new Revisions();
  const environments = await db.selectFrom('environments').select('name').execute();
  const oneFlag = eventTypes.filter(changesOneFlag);
  const manyFlags = eventTypes.filter(changesManyFlags);
  for (const environment of [null, ...environments.map(({ name }) => name)]) {
    const last = await db
      .selectFrom('events')
      .select(['id', 'environment'])
      .where('environment', environment === null ? 'is' : '=', environment)
      .where((eb) =>
        eb.or([eb.and([eb('feature_name', 'is not', null), eb('type', 'in', oneFlag)]), eb('type', 'in', manyFlags)]),
      )
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last !== undefined) revisions.advance(last);
  }
  return revisions;
}
