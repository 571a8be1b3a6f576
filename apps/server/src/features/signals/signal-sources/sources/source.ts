import type { SignalAuthentication, SignalSourceName } from '@yardarm/contract';
import type { SignalFields } from '../recognition/index.ts';
import type { ReadHeader, SignatureScheme } from '../signatures/index.ts';
import type { EnvelopedRequest } from './cloud-event.ts';
import type { DeliveryIds } from './delivery-ids.ts';
import type { NeededLimits } from './limits.ts';

/** A kind of sender: how its requests are authenticated and which fields they contain (docs/spec#signal-sources). */
export interface SignalSource {
  readonly name: SignalSourceName;
  readonly displayName: string;
  /** The sender's page that describes the request. */
  readonly documentationUrl: string | null;
  /** The authentications that the sender can use; the first is the best one. */
  readonly authentication: readonly [SignalAuthentication, ...SignalAuthentication[]];
  /** The lower-case name of the header in which the sender sends a secret. */
  readonly header?: string;
  readonly signature?: SignatureScheme;
  /** The body may be a form: `field` holds the JSON; without it, the payload is an object of the form's fields. */
  readonly form?: { readonly field: string | null };
  /** The body may hold several events, in these media types: a JSON array, or a JSON text in each line. */
  readonly batches?: { readonly array: string; readonly lines: string };
  /** The sender may compress its body with gzip: it is inflated up to the size that the endpoint takes. */
  readonly compresses?: true;
  /** The sender may leave out Content-Type: its body is JSON then. */
  readonly omitsContentType?: true;
  /** Returns the JSON text of a payload that a request carries in another form; undefined for a plain body. */
  readonly envelope?: (request: EnvelopedRequest) => string | undefined;
  /** A body of the type text/plain that is no JSON is a text for people, stored as a JSON string. */
  readonly takesText?: true;
  /** Returns whether a request only asks whether the endpoint is there. It is answered, and stored as no signal. */
  readonly isCheck?: (payload: unknown) => boolean;
  /**
   * The sender shows the `text` of the answer to a person: the answer has one, and leaves out these members of the
   * payload, with which anyone could write to the person.
   */
  readonly answersPerson?: { readonly leavesOut: readonly string[] };
  /** Where the id that all attempts of one delivery share comes from. */
  readonly deliveryIds: DeliveryIds;
  /** Returns the value that `fields` are read from, when it is more than the payload. */
  readonly subject?: (payload: unknown, header: ReadHeader) => unknown;
  /** Returns what a message says about a subscription; undefined for a signal. */
  readonly subscription?: (payload: unknown) => SubscriptionMessage | undefined;
  /** Null for a source whose endpoints set the paths. */
  readonly fields: SignalFields | null;
  /** The limits that this sender needs at least when the owner of an endpoint sets none, and why. */
  readonly limits?: NeededLimits & {
    readonly why: string;
    /** The setting of the sender for the greatest number of alerts in a request. */
    readonly maxAlerts?: string;
  };
  /** How often the sender repeats an alert that still fires, by default, and the setting that changes it. */
  readonly repeat?: { readonly minutes: number; readonly setting: string };
  readonly setup: SourceSetup;
}

/** A message in which a sender asks to confirm a subscription, or says that it has ended one. */
export interface SubscriptionMessage {
  readonly kind: 'requested' | 'ended';
  readonly topic: string;
  /** The address that confirms the subscription; undefined when the message names no address of the sender. */
  readonly confirmUrl: string | undefined;
}

/** How to set up a sender. `{url}` and `{secret}` are placeholders for those of the endpoint. */
export interface SourceSetup {
  /** Says in a sentence where to enter the values or the code. */
  readonly where: string;
  /** The fields of the sender's form. */
  readonly values: readonly { readonly label: string; readonly value: string }[];
  /** A file or command to copy. */
  readonly code?: string;
}
