import type { RefusalReason } from '@yardarm/contract';
import type { Certificates } from './certificates.ts';

/** Returns a header of a request by its lower-case name; undefined when the request lacks the header. */
export type ReadHeader = (name: string) => string | undefined;

/** A request whose signature is verified. */
export interface SignedRequest {
  readonly header: ReadHeader;
  /** The body as it was sent. */
  readonly body: Buffer;
  /** In milliseconds UTC. */
  readonly now: number;
  readonly certificates: Certificates;
  readonly endpointId: number;
}

/** The valid signature of a request, as text; or why it has none, and whether this can change within a minute. */
export type Verdict =
  | { readonly signature: string }
  | { readonly refusal: RefusalReason; readonly isUndecided?: boolean };

/** The way in which a sender signs the body of its requests. */
export interface SignatureScheme {
  /** The lower-case name of the header with the signatures. */
  readonly header: string;
  /** Verifies the signature of a request. */
  verify(secret: string, request: SignedRequest): Verdict | Promise<Verdict>;
  /**
   * The label of the value that is entered as the secret of a token, such as a topic ARN, for senders that do not sign
   * with a shared secret.
   */
  readonly secretLabel?: string;
  /** Returns an error text for an invalid secret; undefined for a valid secret. */
  secretProblem?(secret: string): string | undefined;
  /** Returns a new secret, for senders whose secrets have a format, such as `whsec_…`. */
  newSecret?(): string;
}
