import { type AnswerForm, assemble, isMuchWork, makeReady } from './assemble.ts';
import { compress, type Encoding, encodingFor } from './content-encoding.ts';
import type { FeatureQuery } from './feature-query.ts';
import type { ServedFlag } from './served-flag.ts';
import type { Snapshot } from './snapshot.ts';

/** An answer as it goes over the wire. */
export interface ReadyAnswer {
  readonly revision: number;
  readonly etag: string;
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

/** About what one answer needs beside its bytes, so that many small ones cannot take what none of them counts. */
const entryBytes = 1024;

/** One query's answer at one revision, in the encodings that were asked for so far. */
interface Prepared {
  readonly key: string;
  readonly environment: string;
  readonly revision: number;
  readonly etag: string;
  readonly identity: Buffer;
  readonly compressed: Map<Encoding, Buffer | Promise<Buffer>>;
  size: number;
}

/**
 * Answers of one form to feature queries as bytes that are ready to send. They are made when first asked for after a change,
 * once for all who ask, and kept up to `maxBytes`, the least recently used going first.
 */
export class ReadyAnswers {
  readonly #snapshot: Snapshot;
  readonly #form: AnswerForm;
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #prepared = new Map<string, Prepared>();
  readonly #beingMade = new Map<string, Promise<Prepared>>();
  #latest: Prepared | undefined;
  #size = 0;

  constructor(snapshot: Snapshot, form: AnswerForm, maxBytes: number) {
    this.#snapshot = snapshot;
    this.#form = form;
    this.#maxBytes = maxBytes;
    snapshot.onOutdated((environment) => {
      for (const answer of this.#prepared.values()) {
        if (environment === null || answer.environment === environment) this.#drop(answer);
      }
    });
  }

  /** The tag of the current answer. Costs no more than looking: an unchanged SDK is answered from it alone. */
  etag(query: FeatureQuery): string {
    return this.#form.etag(query, this.#snapshot.revision(query.environment));
  }

  /** The current answer in the encoding that `acceptEncoding` likes best; a promise when it takes work that others need not wait for. */
  answer(query: FeatureQuery, acceptEncoding: string | undefined): ReadyAnswer | Promise<ReadyAnswer> {
    const prepared = this.#find(query);
    return prepared instanceof Promise
      ? prepared.then((made) => this.#encode(made, acceptEncoding))
      : this.#encode(prepared, acceptEncoding);
  }

  #encode(answer: Prepared, acceptEncoding: string | undefined): ReadyAnswer | Promise<ReadyAnswer> {
    const { revision, etag, identity } = answer;
    const encoding = encodingFor(acceptEncoding, identity.length);
    if (encoding === 'identity') return { revision, etag, encoding, bytes: identity };
    const bytes = this.#compressed(answer, encoding);
    if (bytes instanceof Promise) return bytes.then((ready) => ({ revision, etag, encoding, bytes: ready }));
    return { revision, etag, encoding, bytes };
  }

  #find(query: FeatureQuery): Prepared | Promise<Prepared> {
    const kept = this.#prepared.get(query.json);
    if (kept !== undefined) {
      if (kept !== this.#latest) this.#moveToEnd(kept);
      return kept;
    }
    const flags = this.#snapshot.flags(query);
    return isMuchWork(flags, query) ? this.#makeSlowly(flags, query) : this.#make(flags, query);
  }

  /** Makes an answer a bit at a time, once for all who ask meanwhile. */
  #makeSlowly(flags: readonly ServedFlag[], query: FeatureQuery): Promise<Prepared> {
    const begun = this.#beingMade.get(query.json);
    if (begun !== undefined) return begun;
    const making = makeReady(flags, query)
      // Flags that changed meanwhile are new ones: what is assembled is what holds at the end.
      .then(() => this.#prepared.get(query.json) ?? this.#make(this.#snapshot.flags(query), query))
      .finally(() => this.#beingMade.delete(query.json));
    this.#beingMade.set(query.json, making);
    return making;
  }

  #make(flags: readonly ServedFlag[], query: FeatureQuery): Prepared {
    const { environment, json: key } = query;
    const revision = this.#snapshot.revision(environment);
    const etag = this.#form.etag(query, revision);
    const identity = assemble(this.#form, flags, this.#snapshot.segments, query, revision);
    const made: Prepared = { key, environment, revision, etag, identity, compressed: new Map(), size: 0 };
    this.#moveToEnd(made);
    this.#grow(made, identity.length + made.key.length + entryBytes);
    return made;
  }

  #compressed(answer: Prepared, encoding: Exclude<Encoding, 'identity'>): Buffer | Promise<Buffer> {
    const made = answer.compressed.get(encoding);
    if (made !== undefined) return made;
    const making = compress(answer.identity, encoding).then(
      (bytes) => {
        answer.compressed.set(encoding, bytes);
        this.#grow(answer, bytes.length);
        return bytes;
      },
      (error) => {
        answer.compressed.delete(encoding);
        throw error;
      },
    );
    answer.compressed.set(encoding, making);
    return making;
  }

  #moveToEnd(answer: Prepared): void {
    this.#prepared.delete(answer.key);
    this.#prepared.set(answer.key, answer);
    this.#latest = answer;
  }

  /** Counts bytes of an answer, if it is still kept, and makes room; the answer used last stays in any case. */
  #grow(answer: Prepared, bytes: number): void {
    if (this.#prepared.get(answer.key) !== answer) return;
    answer.size += bytes;
    this.#size += bytes;
    for (const oldest of this.#prepared.values()) {
      if (this.#size <= this.#maxBytes || this.#prepared.size === 1) return;
      this.#drop(oldest);
    }
  }

  #drop(answer: Prepared): void {
    this.#prepared.delete(answer.key);
    this.#size -= answer.size;
    if (this.#latest === answer) this.#latest = undefined;
  }
}
