import type { Outbound, SendResult } from '#features/platform/outbound/index.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** `dead`: a dead letter, which is not sent again unless it is redelivered. */
export type DeliveryState = 'waiting' | 'delivered' | 'dead';

/** One message to one receiver: an event to an integration, or an action call. */
export interface Delivery {
  readonly id: number;
  /** The same for all attempts and redeliveries. */
  readonly messageId: string;
  readonly integrationId: number | null;
  readonly callId: number | null;
  readonly eventId: number | null;
  readonly state: DeliveryState;
  /** The number of attempts so far, with those before a redelivery. */
  readonly attempts: number;
  /** The number of failed attempts since the message was queued or redelivered. */
  readonly failures: number;
  readonly status: number | null;
  /** The result of the last attempt, in a sentence. */
  readonly details: string | null;
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
  /** The message is not sent after this time. */
  readonly expiresAt: number;
  readonly settledAt: number | null;
}

/** The message of a delivery, or the reason why there is none. */
export type Prepared =
  | {
      readonly request: Outbound;
      /**
       * A request that each attempt sends before `request`. The receiver may get it several times, so a repetition must
       * do no harm.
       */
      readonly before?: Outbound;
      /** Called in the transaction that stores the result of an attempt. */
      readonly saveResult?: (tx: Tx, result: SendResult) => Promise<void>;
    }
  /** An earlier message tells this one already, or a later one will: nothing is sent, and the sentence says why. */
  | { readonly told: string; readonly saveResult?: (tx: Tx, result: SendResult) => Promise<void> }
  | { readonly refused: string };

/** An enabled integration as the sender needs it. */
export interface Receiver {
  readonly id: number;
  /** Whether a message is sent only when the message before it is delivered or dead. */
  readonly ordered: boolean;
}

/** The part of the outbox that integrations or action calls own. */
export interface DeliveryKind {
  /** Builds the requests of deliveries, by the id of the delivery. A delivery without an entry is not sent now. */
  prepare(db: Db, deliveries: readonly Delivery[]): Promise<ReadonlyMap<number, Prepared>>;
  /**
   * Called in the transaction in which an attempt makes a delivery `delivered` or `dead`. For a dead action call, this
   * function may record events.
   */
  settled?(tx: Tx, delivery: Delivery): Promise<void>;
}

/** The deliveries of integrations. */
export interface IntegrationKind extends DeliveryKind {
  /** Queues deliveries of new events. Returns whether more events wait. */
  fanOut(): Promise<boolean>;
  /** Returns the enabled integrations. */
  receivers(): Promise<readonly Receiver[]>;
}

/** The deliveries of action calls. */
export interface CallKind extends DeliveryKind {
  /** Returns whether calls are halted now. */
  halted(db: Db): Promise<boolean>;
}
