import { type KeyObject, X509Certificate } from 'node:crypto';
import { BoundedMap } from '#kernel/bounded-map.ts';
import type { Clock } from '#kernel/clock.ts';

/** Returns the text at a URL. Rejects when it cannot be read within some seconds. */
export type FetchText = (url: string) => Promise<string>;

const minuteMs = 60_000;
/** A certificate is fetched again after this time, so that a revoked certificate is not used for ever. */
const keptMs = 24 * 60 * minuteMs;
/** The maximum number of fetches per minute for the requests of one endpoint. */
const maxFetches = 10;

/** A public key; `invalid`: the URL has no certificate that is valid now; `unread`: it is not known yet. */
export type FetchedKey = KeyObject | 'invalid' | 'unread';

interface Kept {
  readonly key: Promise<FetchedKey>;
  readonly until: number;
}

/**
 * Fetches the certificates with which senders sign. Anybody can name URLs in forged messages, so a certificate that has
 * verified a message is kept apart from the others, and the fetches are counted by endpoint. The caller checks the URL.
 */
export class Certificates {
  readonly #fetchText: FetchText;
  readonly #clock: Clock;
  readonly #unverified = new BoundedMap<string, Kept>(50);
  /** Certificates that have verified a message. They stay when they are due to be fetched again. */
  readonly #verified = new BoundedMap<string, Kept>(200);
  readonly #fetches = new Map<number, readonly number[]>();

  constructor(fetchText: FetchText, clock: Clock) {
    this.#fetchText = fetchText;
    this.#clock = clock;
  }

  /**
   * Returns the public key of the certificate at a URL, for a request to an endpoint. It is fetched once a day, and
   * again after a minute when it could not be read. Returns `unread` when the endpoint has used up its fetches.
   */
  async keyAt(url: string, endpointId: number): Promise<FetchedKey> {
    const now = this.#clock.now();
    const verified = this.#verified.get(url);
    const kept = verified ?? this.#unverified.get(url);
    if (kept !== undefined && now < kept.until) return kept.key;
    // A known certificate is fetched once a minute at most, which needs no budget.
    if (verified === undefined && !this.#mayFetch(endpointId, now)) return 'unread';
    const fetched = this.#fetch(url, now);
    // While it is fetched again, and when that fails, the verified key stays.
    if (verified !== undefined) this.#verified.set(url, { key: verified.key, until: now + minuteMs });
    else this.#unverified.set(url, { key: fetched, until: now + minuteMs });
    const key = await fetched;
    if (key === 'unread') return verified === undefined ? key : verified.key;
    const again = { key: fetched, until: now + keptMs };
    if (verified === undefined) this.#unverified.set(url, again);
    else if (key === 'invalid') this.#verified.delete(url);
    else this.#verified.set(url, again);
    return key;
  }

  /** Notes that the key at a URL has verified a message. */
  noteVerified(url: string): void {
    const kept = this.#unverified.get(url);
    if (kept === undefined) return;
    this.#unverified.delete(url);
    this.#verified.set(url, kept);
  }

  #mayFetch(endpointId: number, now: number): boolean {
    const recent = (this.#fetches.get(endpointId) ?? []).filter((at) => now - at < minuteMs);
    if (recent.length >= maxFetches) return false;
    this.#fetches.set(endpointId, [...recent, now]);
    return true;
  }

  async #fetch(url: string, now: number): Promise<FetchedKey> {
    let text: string;
    try {
      text = await this.#fetchText(url);
    } catch {
      // The request is answered 503 and counted as `no certificate`, and the sender repeats it.
      return 'unread';
    }
    try {
      const certificate = new X509Certificate(text);
      const isValid = certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime();
      return isValid ? certificate.publicKey : 'invalid';
    } catch {
      // Not a certificate: the request is answered 401 and counted as `no certificate`.
      return 'invalid';
    }
  }
}
