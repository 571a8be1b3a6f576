import type { EventType } from '@yardarm/contract';
import type { Mailer } from '#features/platform/email/index.ts';
import type { Outbound, OutboundRequest } from '#features/platform/outbound/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Thread, ThreadKind } from '../threads/index.ts';

/** A parameter of a kind of integration, as the form shows it. */
export interface SinkParameter {
  readonly name: string;
  readonly displayName: string;
  readonly type: 'url' | 'text' | 'textfield';
  readonly description: string;
  readonly required: boolean;
  /** Whether answers show the value as `*****`. */
  readonly sensitive: boolean;
}

export type SinkParameters = Readonly<Record<string, string>>;

/**
 * A kind of receiver of events, such as a webhook. Each kind is one file in this folder. Kinds with a protocol of their
 * own connect anew for each event: a kept connection needs a pool, an idle limit and a check at each use, and flags
 * change a few times a second at most.
 */
export interface Sink {
  /** The `provider` of an integration. */
  readonly name: string;
  readonly displayName: string;
  readonly documentationUrl: string;
  readonly description: string;
  /** How to set up the integration. */
  readonly howTo: string;
  readonly parameters: readonly SinkParameter[];
  /** The event types that the kind can send; absent for all. */
  readonly eventTypes?: readonly EventType[];
  /**
   * Set when people read the messages, so that those about the same incident or hold belong together, see
   * {@link ThreadKind}. The messages of a thread are sent in order, one at a time.
   */
  readonly threads?: ThreadKind;
  /** Throws a 400 that names the first parameter that the kind does not take, although its type is right. */
  checkParameters?(parameters: SinkParameters): void;
  /** Returns the URL that the parameters name, to check its address. Absent where it is the parameter `url`, if any. */
  urlOf?(parameters: SinkParameters): string;
  /**
   * Builds the HTTP request, or the message in another protocol, that delivers an event. Throws when the message cannot
   * be rendered. Sets `judge` on an HTTP request when the status of the answer does not show whether it succeeded.
   */
  buildRequest(parameters: SinkParameters, event: EventRow, context: SinkContext): Outbound;
  /**
   * Builds the request that updates the first message of the thread that an event belongs to; undefined when there is
   * nothing to update. The update is sent before the message, or instead of it, and may be repeated.
   */
  buildUpdate?(parameters: SinkParameters, context: SinkContext): OutboundRequest | undefined;
}

/** The alert that caused an event; null where its sender did not say. */
export interface CausingAlert {
  readonly title: string | null;
  readonly link: string | null;
}

export interface SinkContext {
  /** Undefined when no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** The id of the message, the same for all attempts and redeliveries. */
  readonly messageId: string;
  /** The public URL of this server, for links in messages. */
  readonly baseUrl: string;
  /** Whether the receiver may learn where a change came from: an administrator has saved the integration. */
  readonly showsOrigin: boolean;
  /** The thread of the event, for a kind that has threads; undefined for an event that stands alone. */
  readonly thread?: Thread | undefined;
  /** The alerts that caused the event and the first event of its thread, by event, where the receiver may see them. */
  readonly alerts?: ReadonlyMap<number, CausingAlert> | undefined;
}
