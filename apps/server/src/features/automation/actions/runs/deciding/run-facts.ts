import { listOverrides, type Override } from '#features/flags/overrides/index.ts';
import { actorOf, findAccounts, readAccessRights } from '#features/people/access/index.ts';
import type { Author } from '#kernel/actor.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** A service account with its access rights. */
export type ActingAccount = Pick<Author, 'actor'> & Required<Pick<Author, 'can'>>;

/**
 * Caches what the runs of one transaction read about the rest of the server: service accounts and overrides. Neither
 * can change meanwhile, because changes run one at a time and no action changes them.
 */
export class RunFacts {
  readonly #accounts = new Map<number, Promise<ActingAccount | undefined>>();
  #overrides: Promise<readonly Override[]> | undefined;

  /** Reads what a run as this service account needs, with statements that are sent together. */
  async prepare(tx: Tx, actorId: number): Promise<void> {
    await Promise.all([this.account(tx.db, actorId), this.overrides(tx)]);
  }

  /** Returns the service account; undefined when it was deleted. */
  account(db: Db, actorId: number): Promise<ActingAccount | undefined> {
    const known = this.#accounts.get(actorId) ?? readAccount(db, actorId);
    this.#accounts.set(actorId, known);
    return known;
  }

  /** Returns the overrides in force. */
  overrides({ db, now }: Pick<Tx, 'db' | 'now'>): Promise<readonly Override[]> {
    this.#overrides ??= listOverrides(db, { now, hidden: new Set(), limit: Number.MAX_SAFE_INTEGER });
    return this.#overrides;
  }
}

async function readAccount(db: Db, actorId: number): Promise<ActingAccount | undefined> {
  const [[account], accessRights] = await Promise.all([findAccounts(db, [actorId]), readAccessRights(db, actorId)]);
  if (account?.kind !== 'service-account') return undefined;
  return { actor: actorOf(account), can: (permission, scope) => accessRights.can(permission, scope) };
}
