import { type Actor, systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import { type Count, EventCounter, type EventCounterOptions } from './event-counter.ts';

/** A request that would have changed something and was answered 403. */
export interface RefusedChange {
  readonly actor: Actor;
  /** Method and path of the route, with placeholders. */
  readonly route: string;
  /** The permissions, one of which was needed; empty when the request was refused for another reason. */
  readonly permissions: readonly string[];
  readonly address: string;
}

export interface RefusedChanges extends Pick<EventCounter<Actor>, 'flush' | 'stop'> {
  count(change: RefusedChange): void;
}

/**
 * Counts changes that were refused, and records one event per account and minute, with the account as its author.
 */
export function countRefusedChanges(
  { write }: Pick<Database, 'write'>,
  options: Omit<EventCounterOptions<Actor>, 'record'>,
): RefusedChanges {
  const counter = new EventCounter<Actor>({
    ...options,
    record: (counts) =>
      write({ actor: systemActor, cause: {} }, async (tx) => {
        for (const { subject, origin, ...count } of counts) {
          const author = { actor: subject ?? systemActor, cause: {}, ...(origin === undefined ? {} : { origin }) };
          await tx.nested(author, async (nested) =>
            nested.record({ type: 'change-refused', outcome: 'refused', data: dataOf(count, subject === null) }),
          );
        }
      }),
  });
  return {
    count: ({ actor, route, permissions, address }) =>
      counter.add({
        key: `${actor.userId} ${actor.name}`,
        subject: actor,
        address,
        listed: { routes: [route], permissions },
      }),
    flush: () => counter.flush(),
    stop: () => counter.stop(),
  };
}

function dataOf({ distinct: _, listed, ...count }: Omit<Count<Actor>, 'subject' | 'origin'>, severalAccounts: boolean) {
  return { account: severalAccounts ? 'other' : 'known', ...listed, ...count };
}
