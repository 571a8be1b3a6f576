import { WriteBehind } from '#jobs/write-behind.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';

/**
 * Records when accounts, personal tokens and sessions were last used, and failed logins. Write-behind: kept in memory
 * and written some seconds later, so no request waits for the database, and a login takes the same time whether or not
 * the user exists. A crash loses the last seconds.
 */
export interface ActivityRecorder {
  seen(accountId: number, by: UsedCredential): void;
  /** Returns when this process last saw a session, if that time may not be stored yet; undefined otherwise. */
  sessionSeen(sessionId: number): number | undefined;
  loginFailed(accountId: number): void;
  /** Writes the pending activity and stops. */
  stop(): Promise<void>;
}

/** The credential that identified an account: a personal token or a session. */
export type UsedCredential =
  | { readonly tokenId: number; readonly sessionId?: undefined }
  | { readonly sessionId: number; readonly tokenId?: undefined };

interface PendingActivity {
  readonly accounts: Map<number, number>;
  readonly tokens: Map<number, number>;
  readonly sessions: Map<number, number>;
  readonly failures: number[];
}

const delayMs = 5000;
const author: Author = { actor: systemActor, cause: {} };

/** Creates a recorder. Failed writes are reported to `onError` and retried. */
export function createActivityRecorder(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): ActivityRecorder {
  let pending = emptyActivity();
  let writing = emptyActivity();
  const behind = new WriteBehind<PendingActivity>({
    delayMs,
    take: () => {
      // `accounts` also has the owner of each used token and session, so the other maps need no check.
      if (pending.accounts.size + pending.failures.length === 0) return undefined;
      const taken = pending;
      pending = emptyActivity();
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
      pending = {
        accounts: new Map([...taken.accounts, ...pending.accounts]),
        tokens: new Map([...taken.tokens, ...pending.tokens]),
        sessions: new Map([...taken.sessions, ...pending.sessions]),
        failures: [...taken.failures, ...pending.failures],
      };
    },
    onError,
  });
  return {
    seen: (accountId, { tokenId, sessionId }) => {
      const now = clock.now();
      pending.accounts.set(accountId, now);
      if (tokenId !== undefined) pending.tokens.set(tokenId, now);
      if (sessionId !== undefined) pending.sessions.set(sessionId, now);
      behind.wake();
    },
    // Includes the batch that is being written: a reader may still find the old row.
    sessionSeen: (sessionId) => pending.sessions.get(sessionId) ?? writing.sessions.get(sessionId),
    loginFailed: (accountId) => {
      pending.failures.push(accountId);
      behind.wake();
    },
    stop: () => behind.stop(),
  };
}

function emptyActivity(): PendingActivity {
  return { accounts: new Map(), tokens: new Map(), sessions: new Map(), failures: [] };
}

/** Updates rows in the order of their ids: this avoids a deadlock with another process that does the same. */
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
