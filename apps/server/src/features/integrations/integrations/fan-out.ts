import { queueDeliveries, type Receiver } from '#features/platform/deliveries/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { type Integration, isSubscribedTo } from './integration.ts';
import { hasThreads } from './sinks/index.ts';
import * as store from './store.ts';
import { dueDigests, takeDigest } from './threads/index.ts';

const author: Author = { actor: systemActor, cause: {} };
const pageSize = 100;
/** The maximum number of waiting messages of an integration. Further events wait in the event log. */
const maxWaiting = 500;

/** The result for a page of events. `full`: the integration has many waiting messages, so nothing was queued. */
type Page = 'done' | 'more' | 'full';

/**
 * Queues a delivery for each event that an integration subscribes to. The event log is the outbox: each integration has
 * a cursor in it, which moves in the transaction that queues the deliveries.
 */
export class FanOut {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #enabled: ReadThroughCache<readonly Integration[]>;
  /**
   * The newest event when an integration had no more events. A changed integration is a new object: it is read again.
   */
  readonly #readTo = new WeakMap<Integration, number>();

  constructor(database: Database, clock: Clock, lifetimeMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
    this.#enabled = new ReadThroughCache(
      database.feed,
      (event) => touches(event, 'integrations'),
      async () => (await store.listIntegrations(database.db)).filter(({ enabled }) => enabled),
      1,
    );
  }

  /** Returns the enabled integrations. */
  async enabled(): Promise<readonly Integration[]> {
    return (await this.#enabled.get('')) ?? [];
  }

  /** Returns the enabled integrations as receivers. Threads need order, because a message refers to earlier ones. */
  async receivers(): Promise<Receiver[]> {
    const enabled = await this.enabled();
    return enabled.map(({ id, ordered, provider }) => ({ id, ordered: ordered || hasThreads(provider) }));
  }

  /** Returns whether an integration may subscribe to one of the events, or has changed. */
  wants(events: readonly EventRow[]): boolean {
    const known = this.#enabled.peek('');
    if (known === undefined) return true;
    const types = new Set(known.flatMap((integration) => integration.events));
    return events.some((event) => types.has(event.type) || touches(event, 'integrations'));
  }

  /** Queues deliveries of new events. Returns whether more events wait, because an integration has many messages. */
  async run(): Promise<boolean> {
    const integrations = await this.enabled();
    if (integrations.length === 0) return false;
    // Read first: an event that is stored later is found by the next run.
    const { newest, digestAt } = await store.newestAndDigest(this.#database.db);
    if (digestAt !== null && digestAt <= this.#clock.now()) await this.#queueDigests();
    let isAnyFull = false;
    for (const integration of integrations) {
      if (this.#readTo.get(integration) === newest) continue;
      let page: Page;
      do page = await this.#queuePage(integration.id);
      while (page === 'more');
      if (page === 'full') isAnyFull = true;
      else this.#readTo.set(integration, newest);
    }
    return isAnyFull;
  }

  /** Queues the digests that are due, each in the transaction that clears it. */
  async #queueDigests(): Promise<void> {
    const due = await dueDigests(this.#database.db, this.#clock.now(), pageSize);
    for (const { id, integration_id: integrationId, digest_at: digestAt, digest_event_id: eventId } of due)
      await this.#database.writeQuietly('deliveries', author, async (tx) => {
        if (eventId === null || !(await takeDigest(tx, id, digestAt))) return;
        await queueDeliveries(tx, this.#lifetimeMs, [{ messageId: `msg_${newId()}`, integrationId, eventId }]);
      });
  }

  async #queuePage(id: number): Promise<Page> {
    const { db } = this.#database;
    const integration = await store.findIntegration(db, id);
    if (integration === undefined) return 'done';
    const events = await store.nextEvents(db, integration, pageSize);
    const last = events.at(-1);
    if (last === undefined) return 'done';
    if ((await store.countWaiting(db, id)) > maxWaiting - pageSize) return 'full';
    const open = await store.openProjects(db);
    const messages = events
      .filter((event) => isSubscribedTo(integration, event, open))
      .map((event) => ({ messageId: `msg_${newId()}`, integrationId: id, eventId: event.id }));
    const moved = await this.#database.writeQuietly('deliveries', author, async (tx) => {
      if (!(await store.moveCursor(tx, id, integration.cursor, last.id))) return false;
      await queueDeliveries(tx, this.#lifetimeMs, messages);
      return true;
    });
    // When the cursor did not move, another process has queued the events, or the integration was changed.
    return moved && events.length === pageSize ? 'more' : 'done';
  }
}
