import { stringifySetCookie } from 'cookie';
import { type Account, actorOf, type OpenSession } from '#features/people/access/index.ts';
import { publicAuthorOf, type RequestInfo } from '#http/request.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { newSecret, secretHash } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import { logOut } from './commands.ts';
import { deviceOf } from './device.ts';
import * as store from './store.ts';

export interface SessionOptions {
  /** The lifetime of a session. */
  readonly ttlHours: number;
  /** The idle timeout in minutes; 0 turns it off. */
  readonly idleMinutes: number;
  /** Returns the time of the last use of a session, as long as that time is not stored yet. */
  readonly lastUse: (sessionId: number) => number | undefined;
  /** The highest number of sessions of a user; the oldest ends when another begins. */
  readonly maxParallel: number;
  readonly basePath: string;
  /** Whether the cookie is sent over HTTPS only. */
  readonly secureCookies: boolean;
}

/** How a user has logged in. */
export interface LoginProof {
  readonly authType: 'simple' | 'oidc';
  /** The ID token of single sign-on, when the user is to be logged out at the provider, too; null otherwise. */
  readonly idToken: string | null;
}

export interface NewSession {
  /** The `Set-Cookie` value with the secret of the session. */
  readonly cookie: string;
  readonly activeSessions: number;
  readonly deletedSessions: number;
}

/**
 * Returns the name of the session cookie (docs/spec#sessions). Browsers accept the prefix `__Host-` only from the host
 * itself, over HTTPS and for the path `/` (RFC 6265bis, 4.1.3).
 */
function cookieNameOf({ basePath, secureCookies }: SessionOptions): string {
  return secureCookies && basePath === '' ? '__Host-yardarm-session' : 'yardarm-session';
}

/**
 * Sessions of logged-in users. Every request reads the row of its session, so an ended session stops working at once in
 * every process.
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

  /** Finds the session of the request's cookie; undefined without a cookie, or when the session has ended. */
  async find(request: RequestInfo): Promise<OpenSession | undefined> {
    const secret = request.cookies[this.#cookieName];
    if (secret === undefined || secret === '') return undefined;
    const now = this.#clock.now();
    const found = await store.findSession(this.#database.db, secretHash(secret), now);
    if (found === undefined) return undefined;
    const { id, account, expiresAt } = found;
    const endsAt = this.endOf(expiresAt, Math.max(found.usedAt, this.#options.lastUse(id) ?? 0));
    return endsAt > now ? { id, account, endsAt } : undefined;
  }

  /** Returns the condition for a session to be open at `now`. */
  openAt(now: number): store.OpenAt {
    const { idleMinutes } = this.#options;
    return { now, idleSince: idleMinutes === 0 ? null : now - idleMinutes * 60_000 };
  }

  /** Returns when a session that was last used at `usedAt` ends, unless it is used again. */
  endOf(expiresAt: number, usedAt: number): number {
    const { idleMinutes } = this.#options;
    return idleMinutes === 0 ? expiresAt : Math.min(expiresAt, usedAt + idleMinutes * 60_000);
  }

  /** Counts the open sessions by user id: of all users, or of one user. */
  count(userId?: number): Promise<Map<number, number>> {
    return store.countSessions(this.#database.db, this.openAt(this.#clock.now()), userId);
  }

  /**
   * Begins a session of an account and records the login. `first` runs in the same write and can prevent the session by
   * throwing.
   */
  begin(
    account: Account,
    request: RequestInfo,
    { authType, idToken }: LoginProof,
    first: (tx: Tx) => Promise<void>,
  ): Promise<NewSession> {
    const { ttlHours, maxParallel } = this.#options;
    const secret = newSecret('');
    return this.#database.write(publicAuthorOf(actorOf(account), request), async (tx) => {
      await first(tx);
      await store.deleteEnded(tx, this.openAt(tx.now));
      const endedSessionIds = await store.deleteOldest(tx, account.id, maxParallel - 1);
      const expiresAt = tx.now + ttlHours * 3_600_000;
      const device = deviceOf(request.header('user-agent'));
      const sessionId = await store.insertSession(tx, {
        userId: account.id,
        secretHash: secretHash(secret),
        expiresAt,
        idToken,
        device,
        address: request.clientAddress === '' ? null : request.clientAddress,
      });
      tx.record({
        type: 'user-logged-in',
        data: { userId: account.id, authType, sessionId, device, expiresAt: isoTime(expiresAt), endedSessionIds },
      });
      const activeSessions = (await store.countSessions(tx.db, this.openAt(tx.now), account.id)).get(account.id) ?? 0;
      return { cookie: this.#cookie(secret, ttlHours * 3600), activeSessions, deletedSessions: endedSessionIds.length };
    });
  }

  /** Returns the ID token of a session that came from single sign-on; null for other sessions. */
  idTokenOf(session: OpenSession): Promise<string | null> {
    return store.findIdToken(this.#database.db, session.id);
  }

  /** Ends all sessions of the user of this session, who logs out. */
  async endAllSessions(session: OpenSession, request: RequestInfo): Promise<void> {
    const author = publicAuthorOf(actorOf(session.account), request, session.id);
    await this.#database.write(author, (tx) => logOut(tx, session.account));
  }

  /** Returns the `Set-Cookie` value that deletes the session cookie. */
  clearingCookie(): string {
    return this.#cookie('', 0);
  }

  #cookie(secret: string, maxAgeSeconds: number): string {
    const { basePath, secureCookies } = this.#options;
    return stringifySetCookie({
      name: this.#cookieName,
      value: secret,
      maxAge: maxAgeSeconds,
      path: basePath === '' ? '/' : basePath,
      httpOnly: true,
      secure: secureCookies,
      sameSite: 'lax',
    });
  }
}
