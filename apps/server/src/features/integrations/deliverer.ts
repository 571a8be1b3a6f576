import { setTimeout as pause } from 'node:timers/promises';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import { ReadThroughCache } from '../../storage/read-through-cache.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import { touches } from '../event-effects/index.ts';
import { describeResult, isDelivered, type OutboundRequest, type Send, type SendResult } from '../outbound/index.ts';
import { type Integration, isSubscribedTo, type Outcome } from './integration.ts';
import * as store from './store.ts';
import { buildRequest } from './webhook.ts';

const author: Author = { actor: systemActor, cause: {} };
const pageSize = 100;
const pollMs = 5000;
/** Longer than a delivery with its retry takes, so that no other process delivers the same event meanwhile. */
const leaseMs = 60_000;

export interface DelivererOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly send: Send;
  /** The pause before the retry of a failed delivery, in milliseconds. */
  readonly retryMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers events to integrations. Each integration has a cursor in the event log and receives its events in order.
 * Delivery follows the log asynchronously, so changes do not wait for it.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #holder = newId();
  readonly #enabled: ReadThroughCache<readonly Integration[]>;
  readonly #stopping = new AbortController();
  /** Integrations that this process delivers to, and those of them that were woken again meanwhile. */
  readonly #working = new Map<number, Promise<void>>();
  readonly #wokenMeanwhile = new Set<number>();
  #scanning: Promise<void> = Promise.resolve();
  #poll: NodeJS.Timeout | undefined;

  constructor(options: DelivererOptions) {
    this.#options = options;
    const { db, feed } = options.database;
    this.#enabled = new ReadThroughCache(
      feed,
      (event) => touches(event, 'integrations'),
      async () => (await store.listIntegrations(db)).filter(({ enabled }) => enabled),
      1,
    );
  }

  /** Starts deliveries, beginning with events that an earlier process left. */
  start(): void {
    this.#options.database.feed.subscribe((events) => this.#wake(events));
    this.#poll = setInterval(() => this.#wake(), pollMs);
    this.#wake();
  }

  /** Resolves when all events have been delivered. */
  async idle(): Promise<void> {
    this.#wake();
    await this.#scanning;
    while (this.#working.size > 0) await Promise.all(this.#working.values());
  }

  /** Finishes the current deliveries and starts no more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#poll);
    await this.#scanning;
    await Promise.all(this.#working.values());
  }

  /**
   * Starts a scan when an integration subscribes to one of the events. Returns at once, because changes wait for it.
   */
  #wake(events?: readonly EventRow[]): void {
    if (this.#stopping.signal.aborted) return;
    const known = this.#enabled.peek('');
    if (known !== undefined && events !== undefined) {
      const types = new Set(known.flatMap((integration) => integration.events));
      if (!events.some(({ type }) => types.has(type))) return;
    }
    this.#scanning = this.#scanning.then(() => this.#scanIntegrations()).catch(this.#options.onError);
  }

  async #scanIntegrations(): Promise<void> {
    for (const integration of (await this.#enabled.get('')) ?? []) this.#startDelivery(integration);
  }

  #startDelivery(integration: Integration): void {
    const { id } = integration;
    if (this.#working.has(id)) {
      this.#wokenMeanwhile.add(id);
      return;
    }
    const work = this.#deliverAll(integration)
      .catch(this.#options.onError)
      .finally(() => {
        this.#working.delete(id);
        if (this.#wokenMeanwhile.delete(id) && !this.#stopping.signal.aborted) this.#startDelivery(integration);
      });
    this.#working.set(id, work);
  }

  async #deliverAll(integration: Integration): Promise<void> {
    const { database, clock } = this.#options;
    if ((await store.nextEvents(database.db, integration, 1)).length === 0) return;
    const { id } = integration;
    const acquired = await database.writeQuietly('deliveries', author, (tx) =>
      store.acquireLease(tx, id, this.#holder, clock.now() + leaseMs),
    );
    if (!acquired) return;
    try {
      while (await this.#deliverPage(id));
    } finally {
      await database.writeQuietly('deliveries', author, (tx) => store.releaseLease(tx, id, this.#holder));
    }
  }

  /** Delivers the next events. Returns whether there may be more. */
  async #deliverPage(id: number): Promise<boolean> {
    const { db } = this.#options.database;
    const integration = await store.findIntegration(db, id);
    if (integration === undefined) return false;
    const events = await store.nextEvents(db, integration, pageSize);
    const open = await store.openProjects(db);
    let skipped: EventRow | undefined;
    for (const event of events) {
      if (this.#stopping.signal.aborted) return false;
      // The integration may have changed during the previous delivery.
      const current = await store.findIntegration(db, id);
      if (current?.enabled !== true) return false;
      if (!isSubscribedTo(current, event, open)) {
        skipped = event;
        continue;
      }
      skipped = undefined;
      const outcome = await this.#deliver(current, event);
      if (outcome === undefined || !(await this.#saveProgress(id, event, outcome))) return false;
    }
    if (skipped !== undefined && !(await this.#saveProgress(id, skipped, undefined))) return false;
    return events.length === pageSize;
  }

  /** Saves the result and moves the cursor. Returns false when the lease was lost. */
  #saveProgress(id: number, event: EventRow, outcome: Outcome | undefined): Promise<boolean> {
    const { database, clock } = this.#options;
    return database.writeQuietly('deliveries', author, async (tx) => {
      const moved = await store.advanceCursor(tx, id, this.#holder, event.id, clock.now() + leaseMs);
      if (moved && outcome !== undefined) await store.insertDelivery(tx, id, event.id, outcome);
      return moved;
    });
  }

  /**
   * Delivers an event with one retry. Returns undefined when stopped before the retry: the next process delivers it
   * then.
   */
  async #deliver(integration: Integration, event: EventRow): Promise<Outcome | undefined> {
    const { send, retryMs } = this.#options;
    let request: OutboundRequest;
    try {
      request = buildRequest(integration, event);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { state: 'failed', stateDetails: `The body could not be rendered: ${why}.`, details: { attempts: 0 } };
    }
    const first = await send(request);
    if (isDelivered(first)) return outcomeOf(first, 1);
    await pause(retryMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    return this.#stopping.signal.aborted ? undefined : outcomeOf(await send(request), 2);
  }
}

function outcomeOf(result: SendResult, attempts: number): Outcome {
  return {
    state: isDelivered(result) ? 'success' : 'failed',
    stateDetails: describeResult(result),
    details: { attempts, status: 'status' in result ? result.status : null },
  };
}
