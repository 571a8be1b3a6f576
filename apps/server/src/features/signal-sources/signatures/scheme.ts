import type { RefusalReason } from '@yardarm/contract';
import type { Certificates } from './certificates.ts';

/** The headers of a request, by lower-case name. */
export type ReadHeader = (name: string) => string | undefined;

/** A request whose signature is verified. */
export interface SignedRequest {
  readonly header: ReadHeader;
  /** The body as it was sent. */
  readonly body: Buffer;
  /** In milliseconds UTC. */
  readonly now: number;
  readonly certificates: Certificates;
}

/** The way in which a sender signs the body of its requests. */
export interface SignatureScheme {
  /** The lower-case name of the header with the signatures. */
  readonly header: string;
  /** Returns why the signature of a request is not valid; undefined when it is. */
  refusal(secret: string, request: SignedRequest): RefusalReason | undefined | Promise<RefusalReason | undefined>;
  /** The name of the value that a token has as its secret, for senders that do not sign with a shared secret. */
  readonly secretLabel?: string;
  /** Returns an error text for an invalid secret; undefined for a valid secret. */
  secretProblem?(secret: string): string | undefined;
  /** Returns a new secret, where it has a form of its own. */
  newSecret?(): string;
}
