import type { RequestInfo } from '../../http/request.ts';
import type { Author } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newSecret, secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tx.ts';
import { type Account, actorOf, type OpenSession } from '../access/index.ts';
import { deviceOf } from './device.ts';
import * as store from './store.ts';

export interface SessionOptions {
  /** How long a session lasts from its beginning. */
  readonly ttlHours: number;
  /** Minutes without a request after which a session ends; 0 for no such end. */
  readonly idleMinutes: number;
  /** When a session was last used, where that is not stored yet. */
  readonly lastUse: (sessionId: number) => number | undefined;
  /** Most sessions of one user; the oldest end when one more begins. */
  readonly maxParallel: number;
  readonly basePath: string;
  /** Whether the cookie travels over HTTPS only. */
  readonly secureCookies: boolean;
}

export interface NewSession {
  /** The `Set-Cookie` value that carries it. */
  readonly cookie: string;
  readonly activeSessions: number;
  readonly deletedSessions: number;
}

/**
 * Returns the name of the cookie that holds a session's secret, of which only a hash is stored (docs/spec#sessions).
 * Browsers take one with the prefix `__Host-` only from the host itself, over HTTPS and for all of its paths (RFC
 * 6265bis, 4.1.3).
 */
function cookieNameOf({ basePath, secureCookies }: SessionOptions): string {
  return secureCookies && basePath === '' ? '__Host-yardarm-session' : 'yardarm-session';
}

/**
 * Sessions of people who logged in. Every request reads the row of its session, so one that has ended is over at once
 * in every process.
 */
export class Sessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #options: SessionOptions;
  readonly #cookieName: string;

  constructor(database: Database, clock: Clock, options: SessionOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#options = options;
    this.#cookieName = cookieNameOf(options);
  }

  /** The session whose cookie a request bears; undefined when it has none, or one that is over. */
  async find(request: RequestInfo): Promise<OpenSession | undefined> {
    const secret = request.cookies[this.#cookieName];
    if (secret === undefined || secret === '') return undefined;
    const at = this.openAt(this.#clock.now());
    const found = await store.findSession(this.#database.db, secretHash(secret), at.now);
    if (found === undefined) return undefined;
    const usedAt = Math.max(found.usedAt, this.#options.lastUse(found.session.id) ?? 0);
    return at.idleSince === null || usedAt > at.idleSince ? found.session : undefined;
  }

  /** What makes a session open at `now`. */
  openAt(now: number): store.OpenAt {
    const { idleMinutes } = this.#options;
    return { now, idleSince: idleMinutes === 0 ? null : now - idleMinutes * 60_000 };
  }

  /** When a session that was last used at `usedAt` ends unless it is used again. */
  endOf(expiresAt: number, usedAt: number): number {
    const { idleMinutes } = this.#options;
    return idleMinutes === 0 ? expiresAt : Math.min(expiresAt, usedAt + idleMinutes * 60_000);
  }

  /** How many open sessions each user has, or that one user, by the user's id. */
  count(userId?: number): Promise<Map<number, number>> {
    return store.countSessions(this.#database.db, this.openAt(this.#clock.now()), userId);
  }

  /**
   * Begins a session of whoever sent `request`. `first` runs in the same change and can refuse it by throwing. `idToken` is
   * kept with it, where a provider has let the user in and is to log them out too.
   */
  begin(
    account: Account,
    request: RequestInfo,
    first: (tx: Tx) => Promise<void>,
    idToken: string | null = null,
  ): Promise<NewSession> {
    const { ttlHours, maxParallel } = this.#options;
    const secret = newSecret('');
    const author: Author = { actor: actorOf(account), cause: { requestId: request.requestId } };
    return this.#database.writeQuietly('sessions', author, async (tx) => {
      await first(tx);
      await store.forgetEnded(tx, this.openAt(tx.now));
      const deletedSessions = await store.endOldest(tx, account.id, maxParallel - 1);
      const expiresAt = tx.now + ttlHours * 3_600_000;
      await store.insertSession(tx, {
        userId: account.id,
        secretHash: secretHash(secret),
        expiresAt,
        idToken,
        device: deviceOf(request.header('user-agent')),
        address: request.clientAddress === '' ? null : request.clientAddress,
      });
      const activeSessions = (await store.countSessions(tx.db, this.openAt(tx.now), account.id)).get(account.id) ?? 0;
      return { cookie: this.#cookie(secret, ttlHours * 3600), activeSessions, deletedSessions };
    });
  }

  /** What the provider said when it let in the user of a session; null when none did. */
  idTokenOf(session: OpenSession): Promise<string | null> {
    return store.findIdToken(this.#database.db, session.id);
  }

  /** Ends every session of the user whose session this is. */
  async endAllOf(session: OpenSession, requestId: string): Promise<void> {
    const author: Author = { actor: actorOf(session.account), cause: { requestId } };
    await this.#database.writeQuietly('sessions', author, (tx) => store.endSessions(tx, session.account.id, null));
  }

  /** The `Set-Cookie` value that makes a browser forget its session. */
  clearingCookie(): string {
    return this.#cookie('', 0);
  }

  #cookie(secret: string, maxAgeSeconds: number): string {
    const { basePath, secureCookies } = this.#options;
    const path = basePath === '' ? '/' : basePath;
    const secure = secureCookies ? '; Secure' : '';
    return `${this.#cookieName}=${secret}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}
