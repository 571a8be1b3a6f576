import type { EventRow } from '../../../storage/tables/events.ts';
import type { Mailer } from '../../email/index.ts';
import type { Outbound } from '../../outbound/index.ts';

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

/** A kind of receiver of events, such as a webhook. Each kind is one file in this folder. */
export interface Sink {
  /** The `provider` of an integration. */
  readonly name: string;
  readonly displayName: string;
  readonly documentationUrl: string;
  readonly description: string;
  /** How to set up the integration. */
  readonly howTo: string;
  readonly parameters: readonly SinkParameter[];
  /** Throws a 400 that names the first invalid parameter. */
  checkParameters(parameters: SinkParameters): void;
  /** Returns the URL that the parameters name, to check its address; undefined when they name none. */
  urlOf(parameters: SinkParameters): string | undefined;
  /**
   * Builds the HTTP request, or the message in another protocol, that delivers an event. Throws when the message cannot
   * be rendered. The answer of an HTTP request that needs judging is judged by its `judge`.
   */
  buildRequest(parameters: SinkParameters, event: EventRow, context: SinkContext): Outbound;
}

export interface SinkContext {
  /** Undefined when no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** The id of the message, the same for all attempts and redeliveries. */
  readonly messageId: string;
  /** The public URL of this server, for links in messages. */
  readonly baseUrl: string;
}
