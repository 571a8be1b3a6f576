import { actorOf, findAccount } from '#features/people/access/index.ts';
import { foldCase } from '#kernel/fold-case.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import { type Count, EventCounter, type EventCounterOptions, recordEach } from './event-counter.ts';

interface FailedLogin {
  /** The user name as it was entered. Never recorded: people sometimes type their password there. */
  readonly username: string;
  /** The account with that name; undefined when there is none. */
  readonly userId: number | undefined;
  readonly authType: 'simple' | 'oidc';
  readonly ip: string;
}

/** The account of failed logins; `unknown` for user names that no account has. */
type Subject = { readonly account: 'known'; readonly userId: number } | { readonly account: 'unknown' };

export interface FailedLogins extends Pick<EventCounter<Subject>, 'flush' | 'stop'> {
  count(login: FailedLogin): void;
}

/**
 * Counts failed logins, and records one event per account and minute. All unknown user names share one event.
 */
export function countFailedLogins(
  database: Pick<Database, 'write'>,
  options: Omit<EventCounterOptions<Subject>, 'record'>,
): FailedLogins {
  const counter = new EventCounter<Subject>({ ...options, record: recordEach(database, record) });
  return {
    count: ({ userId, username, authType, ip }) =>
      counter.add({
        key: userId === undefined ? 'unknown' : String(userId),
        subject: userId === undefined ? { account: 'unknown' } : { account: 'known', userId },
        address: ip,
        counted: foldCase(username),
        listed: { authTypes: [authType] },
      }),
    flush: () => counter.flush(),
    stop: () => counter.stop(),
  };
}

async function record(tx: Tx, { subject, distinct, listed, ...count }: Omit<Count<Subject>, 'origin'>): Promise<void> {
  const userId = subject?.account === 'known' ? subject.userId : null;
  const account = userId === null ? undefined : await findAccount(tx.db, 'user', userId);
  const username = account === undefined ? null : actorOf(account).name;
  const data = { account: subject?.account ?? 'other', userId, username, userNames: distinct, ...listed, ...count };
  tx.record({ type: 'login-failed', outcome: 'failure', data });
}
