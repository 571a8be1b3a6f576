import type { OwnFields, SignalSourceName } from '@yardarm/contract';

/** A sender of signals, identified by a token of the endpoint that it calls. */
export interface SignalCaller {
  /** Whether a secret has proven the sender, before the body is read. */
  readonly isProven: boolean;
  /** The greatest size of a body that this caller may send. */
  readonly maxBodyBytes: number;
  /** Returns the token of the sender. Rejects with 401 when the body has no valid signature of the sender. */
  identify(body: Buffer): SignalSender | Promise<SignalSender>;
  /** Counts a request that was refused after the guard had admitted it. */
  refused(error: unknown): void;
}

/** A signal token in use. */
export interface SignalSender {
  readonly endpointId: number;
  readonly tokenId: number;
  /** The signature of the body that proved the sender; null when the request carried a secret. */
  readonly signature: string | null;
  /** The sender, a part of the identity of its alerts; null where the endpoint does not tell senders apart. */
  readonly sender: string | null;
  /** The kind of sender of the endpoint. */
  readonly source: SignalSourceName;
  /**
   * The paths of the recognised fields, such as the state of an alert, that the owner of the endpoint set; null without
   * any.
   */
  readonly fields: OwnFields | null;
  /** The paths whose values are dropped and hashed before anything is stored, and the key of the hashes. */
  readonly redaction: {
    readonly dropped: readonly string[];
    readonly hashed: readonly string[];
    readonly hashKey: string;
  };
  /** The greatest size of a body after decompression. */
  readonly maxBodyBytes: number;
}
