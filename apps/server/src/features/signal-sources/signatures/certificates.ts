import { type KeyObject, X509Certificate } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';

/** Returns the text at a URL. Rejects when it cannot be read within some seconds. */
export type FetchText = (url: string) => Promise<string>;

const minuteMs = 60_000;
/** A certificate is fetched again after this time, so that a revoked certificate is not used for ever. */
const keptMs = 24 * 60 * minuteMs;
const maxKept = 20;
/** The maximum number of fetches per minute, for all endpoints together. */
const maxFetches = 10;

interface Kept {
  readonly key: Promise<KeyObject | undefined>;
  readonly until: number;
}

/**
 * Fetches the certificates with which senders sign. Each is kept for a day; a failed fetch is repeated after a minute.
 * The caller checks the URL.
 */
export class Certificates {
  readonly #fetchText: FetchText;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #fetches: number[] = [];

  constructor(fetchText: FetchText, clock: Clock) {
    this.#fetchText = fetchText;
    this.#clock = clock;
  }

  /** Returns the public key of the certificate at a URL; undefined when it cannot be read or is not valid now. */
  async keyAt(url: string): Promise<KeyObject | undefined> {
    const now = this.#clock.now();
    const kept = this.#kept.get(url);
    if (kept !== undefined && now < kept.until) return kept.key;
    this.#fetches = this.#fetches.filter((at) => now - at < minuteMs);
    if (this.#fetches.length >= maxFetches) return undefined;
    this.#fetches.push(now);
    const fetched = this.#fetch(url, now);
    this.#keep(url, { key: fetched, until: now + minuteMs });
    const key = await fetched;
    if (key !== undefined) this.#keep(url, { key: fetched, until: now + keptMs });
    return key;
  }

  #keep(url: string, kept: Kept): void {
    this.#kept.delete(url);
    this.#kept.set(url, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  async #fetch(url: string, now: number): Promise<KeyObject | undefined> {
    try {
      const certificate = new X509Certificate(await this.#fetchText(url));
      const isValid = certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime();
      return isValid ? certificate.publicKey : undefined;
    } catch {
      // The request is answered 401 and counted as `no certificate`, and the sender repeats it.
      return undefined;
    }
  }
}
