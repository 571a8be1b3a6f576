import { WriteBehind } from '../../jobs/write-behind.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tx.ts';

/**
 * What accounts leave behind by being used: when they, their tokens and their sessions were last seen, and logins that failed. It is
 * kept in memory and written a few seconds later, so that no request waits for it, and a login takes as long whether
 * the user exists or not. A crash loses the last seconds of it.
 */
export interface Traces {
  seen(accountId: number, by: Bearing): void;
  /** When this process last saw a session, where that is not written yet. */
  sessionSeen(sessionId: number): number | undefined;
  loginFailed(accountId: number): void;
  /** Writes what is waiting, and nothing later. */
  stop(): Promise<void>;
}

/** What an account was known by: the id of a personal token, or of a session. */
export type Bearing =
  | { readonly tokenId: number; readonly sessionId?: undefined }
  | { readonly sessionId: number; readonly tokenId?: undefined };

interface Waiting {
  readonly accounts: Map<number, number>;
  readonly tokens: Map<number, number>;
  readonly sessions: Map<number, number>;
  readonly failures: number[];
}

const delayMs = 5000;
const author: Author = { actor: systemActor, cause: {} };

/** `onError` hears of what could not be written; it is tried again later. */
export function createTraces(database: Database, clock: Clock, onError: (error: unknown) => void): Traces {
  let waiting = nothing();
  let writing = nothing();
  const behind = new WriteBehind<Waiting>({
    delayMs,
    take: () => {
      // A token or a session is never seen without its account.
      if (waiting.accounts.size + waiting.failures.length === 0) return undefined;
      const taken = waiting;
      waiting = nothing();
      writing = taken;
      return taken;
    },
    write: (taken) =>
      database.writeQuietly('last seen', author, async (tx) => {
        await setSeen(tx, 'users', taken.accounts);
        await setSeen(tx, 'personal_tokens', taken.tokens);
        await setSeen(tx, 'sessions', taken.sessions);
        await countFailures(tx, taken.failures);
      }),
    giveBack: (taken) => {
      waiting = {
        accounts: new Map([...taken.accounts, ...waiting.accounts]),
        tokens: new Map([...taken.tokens, ...waiting.tokens]),
        sessions: new Map([...taken.sessions, ...waiting.sessions]),
        failures: [...taken.failures, ...waiting.failures],
      };
    },
    onError,
  });
  return {
    seen: (accountId, { tokenId, sessionId }) => {
      const now = clock.now();
      waiting.accounts.set(accountId, now);
      if (tokenId !== undefined) waiting.tokens.set(tokenId, now);
      if (sessionId !== undefined) waiting.sessions.set(sessionId, now);
      behind.wake();
    },
    // What is being written counts until the next batch is: a reader may still see the row as it was.
    sessionSeen: (sessionId) => waiting.sessions.get(sessionId) ?? writing.sessions.get(sessionId),
    loginFailed: (accountId) => {
      waiting.failures.push(accountId);
      behind.wake();
    },
    stop: () => behind.stop(),
  };
}

function nothing(): Waiting {
  return { accounts: new Map(), tokens: new Map(), sessions: new Map(), failures: [] };
}

/** In the order of ids, so that two processes that write at once wait for each other instead of deadlocking. */
async function setSeen(
  tx: Tx,
  table: 'users' | 'personal_tokens' | 'sessions',
  times: ReadonlyMap<number, number>,
): Promise<void> {
  for (const [id, at] of [...times].toSorted(([a], [b]) => a - b)) {
    await tx.db
      .updateTable(table)
      .set({ seen_at: at })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('seen_at', 'is', null), eb('seen_at', '<', at)]))
      .execute();
  }
}

async function countFailures(tx: Tx, accountIds: readonly number[]): Promise<void> {
  for (const id of accountIds.toSorted((a, b) => a - b)) {
    await tx.db
      .updateTable('users')
      .set((eb) => ({ login_attempts: eb('login_attempts', '+', 1) }))
      .where('id', '=', id)
      .execute();
  }
}
