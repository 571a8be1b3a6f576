import { setTimeout as pause } from 'node:timers/promises';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import { ReadThroughCache } from '../../storage/read-through-cache.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import { isTaken, type Message, reasonOf, type Send, type Sent } from '../outbound/index.ts';
import { concerns, type Integration, type Outcome } from './integration.ts';
import * as store from './store.ts';
import { messageOf } from './webhook.ts';

const author: Author = { actor: systemActor, cause: {} };
const pageSize = 100;
const pollMs = 5000;
/** Longer than telling of one event takes, so that no other process begins with it meanwhile. */
const leaseMs = 60_000;

export interface DelivererOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly send: Send;
  /** How long after a failure it is tried once more, in milliseconds. */
  readonly retryMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Tells integrations of events, each of them in the order of the log and at its own pace: where it stands is in the
 * database. It reads behind the log, so no change waits for it.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #holder = newId();
  readonly #enabled: ReadThroughCache<readonly Integration[]>;
  readonly #stopping = new AbortController();
  /** Integrations that this process is telling, and those of them that have more to be told since it last looked. */
  readonly #working = new Map<number, Promise<void>>();
  readonly #again = new Set<number>();
  #looking: Promise<void> = Promise.resolve();
  #poll: NodeJS.Timeout | undefined;

  constructor(options: DelivererOptions) {
    this.#options = options;
    const { db, feed } = options.database;
    this.#enabled = new ReadThroughCache(
      feed,
      ({ type }) => type.startsWith('addon-config-'),
      async () => (await store.listIntegrations(db)).filter(({ enabled }) => enabled),
      1,
    );
  }

  /** Begins with what was left by whoever told before. */
  start(): void {
    this.#options.database.feed.subscribe((events) => this.#wake(events));
    this.#poll = setInterval(() => this.#wake(), pollMs);
    this.#wake();
  }

  /** Resolves when all is told that there was to tell. */
  async idle(): Promise<void> {
    this.#wake();
    await this.#looking;
    while (this.#working.size > 0) await Promise.all(this.#working.values());
  }

  /** Finishes the events in hand and begins no more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#poll);
    await this.#looking;
    await Promise.all(this.#working.values());
  }

  /** Looks whether somebody is to be told of the events, or of anything; answers at once, since changes wait for it. */
  #wake(events?: readonly EventRow[]): void {
    if (this.#stopping.signal.aborted) return;
    const known = this.#enabled.peek('');
    if (known !== undefined && events !== undefined) {
      const types = new Set(known.flatMap((integration) => integration.events));
      if (!events.some(({ type }) => types.has(type))) return;
    }
    this.#looking = this.#looking.then(() => this.#look()).catch(this.#options.onError);
  }

  async #look(): Promise<void> {
    for (const integration of (await this.#enabled.get('')) ?? []) this.#tell(integration);
  }

  #tell(integration: Integration): void {
    const { id } = integration;
    if (this.#working.has(id)) {
      this.#again.add(id);
      return;
    }
    const work = this.#tellAll(integration)
      .catch(this.#options.onError)
      .finally(() => {
        this.#working.delete(id);
        if (this.#again.delete(id) && !this.#stopping.signal.aborted) this.#tell(integration);
      });
    this.#working.set(id, work);
  }

  async #tellAll(integration: Integration): Promise<void> {
    const { database, clock } = this.#options;
    if ((await store.nextEvents(database.db, integration, 1)).length === 0) return;
    const { id } = integration;
    const taken = await database.writeQuietly('deliveries', author, (tx) =>
      store.takeLease(tx, id, this.#holder, clock.now() + leaseMs),
    );
    if (!taken) return;
    try {
      while (await this.#tellPage(id));
    } finally {
      await database.writeQuietly('deliveries', author, (tx) => store.endLease(tx, id, this.#holder));
    }
  }

  /** Tells the next events; answers whether there may be more. */
  async #tellPage(id: number): Promise<boolean> {
    const { db } = this.#options.database;
    const integration = await store.findIntegration(db, id);
    if (integration === undefined) return false;
    const events = await store.nextEvents(db, integration, pageSize);
    const open = await store.openProjects(db);
    let passed: EventRow | undefined;
    for (const event of events) {
      if (this.#stopping.signal.aborted) return false;
      // It may have been changed while it was told of the one before.
      const current = await store.findIntegration(db, id);
      if (current?.enabled !== true) return false;
      if (!concerns(current, event, open)) {
        passed = event;
        continue;
      }
      passed = undefined;
      const outcome = await this.#outcomeOf(current, event);
      if (outcome === undefined || !(await this.#moveTo(id, event, outcome))) return false;
    }
    if (passed !== undefined && !(await this.#moveTo(id, passed, undefined))) return false;
    return events.length === pageSize;
  }

  /** Notes what became of an event; false when another process tells the integration by now, or nobody does. */
  #moveTo(id: number, event: EventRow, outcome: Outcome | undefined): Promise<boolean> {
    const { database, clock } = this.#options;
    return database.writeQuietly('deliveries', author, async (tx) => {
      const moved = await store.advance(tx, id, this.#holder, event.id, clock.now() + leaseMs);
      if (moved && outcome !== undefined) await store.insertDelivery(tx, id, event.id, outcome);
      return moved;
    });
  }

  /** Tells of an event, twice if need be; nothing when this is to stop before it was tried twice: then the next process tells. */
  async #outcomeOf(integration: Integration, event: EventRow): Promise<Outcome | undefined> {
    const { send, retryMs } = this.#options;
    let message: Message;
    try {
      message = messageOf(integration, event);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { state: 'failed', stateDetails: `The body could not be made: ${why}.`, details: { attempts: 0 } };
    }
    const first = await send(message);
    if (isTaken(first)) return outcomeOf(first, 1);
    await pause(retryMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    return this.#stopping.signal.aborted ? undefined : outcomeOf(await send(message), 2);
  }
}

function outcomeOf(sent: Sent, attempts: number): Outcome {
  return {
    state: isTaken(sent) ? 'success' : 'failed',
    stateDetails: reasonOf(sent),
    details: { attempts, status: 'status' in sent ? sent.status : null },
  };
}
