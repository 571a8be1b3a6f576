import { type EventType, eventTypes } from '@yardarm/contract';
import type { EventRow } from '../../storage/tables/events.ts';
import type { Db } from '../../storage/tx.ts';

/** Events about no flag that change what SDKs get all the same. */
const aboutManyFlags: ReadonlySet<string> = new Set<EventType>([
  'project-deleted',
  'project-environment-added',
  'project-environment-removed',
  'environment-created',
  'environment-deleted',
  'segment-updated',
  'features-imported',
]);

/**
 * Returns whether an event can change SDK answers and so moves their revision: by Unleash's rule (docs/spec#sdk-revision),
 * and for events that change many flags at once. A created segment is not used yet, and a segment in use cannot be
 * deleted, so neither counts. Holds have event types of their own.
 */
export function movesRevision(event: Pick<EventRow, 'type' | 'feature_name'>): boolean {
  return event.feature_name === null ? aboutManyFlags.has(event.type) : ofFlags(event.type);
}

function ofFlags(type: string): boolean {
  return !/^(feature-favorited|feature-unfavorited|feature-link-|feature-lease-|change-)/.test(type);
}

/**
 * The revision of each environment: the id of the last event that may have changed what SDKs get there. It comes
 * from the event log alone, so every process, and the same one started anew, has the same.
 */
export class Revisions {
  readonly #byEnvironment = new Map<string, number>();
  #ofAll = 0;

  /** The same revisions, which later events do not move. */
  copy(): Revisions {
    const copy = new Revisions();
    for (const [environment, id] of this.#byEnvironment) copy.#byEnvironment.set(environment, id);
    copy.#ofAll = this.#ofAll;
    return copy;
  }

  of(environment: string): number {
    return Math.max(this.#ofAll, this.#byEnvironment.get(environment) ?? 0);
  }

  /** Takes an event in, whatever the order. Answers the environment it touches, null for all, undefined for none. */
  move(event: Pick<EventRow, 'id' | 'type' | 'feature_name' | 'environment'>): string | null | undefined {
    if (!movesRevision(event)) return undefined;
    const { id, environment } = event;
    if (environment === null) this.#ofAll = Math.max(this.#ofAll, id);
    else this.#byEnvironment.set(environment, Math.max(this.#byEnvironment.get(environment) ?? 0, id));
    return environment;
  }
}

/** Reads the revisions that the event log has by now. One look into an index for each environment. */
export async function loadRevisions(db: Db): Promise<Revisions> {
  const revisions = new Revisions();
  const environments = await db.selectFrom('environments').select('name').execute();
  const flagTypes = eventTypes.filter(ofFlags);
  for (const environment of [null, ...environments.map(({ name }) => name)]) {
    const last = await db
      .selectFrom('events')
      .select(['id', 'type', 'feature_name', 'environment'])
      .where('environment', environment === null ? 'is' : '=', environment)
      .where((eb) =>
        eb.or([
          eb.and([eb('feature_name', 'is not', null), eb('type', 'in', flagTypes)]),
          eb('type', 'in', [...aboutManyFlags]),
        ]),
      )
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last !== undefined) revisions.move(last);
  }
  return revisions;
}
