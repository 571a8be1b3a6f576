import type { Author } from '../../../kernel/actor.ts';
import type { Db } from '../../../storage/tx.ts';
import { actorOf, findAccounts, readAccessRights } from '../../access/index.ts';

/** A service account with its access rights. */
export type ActingAccount = Pick<Author, 'actor'> & Required<Pick<Author, 'can'>>;

/**
 * Caches the service accounts of the runs of one transaction. Their access rights cannot change meanwhile, because
 * changes run one at a time.
 */
export class AccountCache {
  readonly #known = new Map<number, Promise<ActingAccount | undefined>>();

  /** Returns the service account; undefined when it was deleted. */
  get(db: Db, actorId: number): Promise<ActingAccount | undefined> {
    const known = this.#known.get(actorId) ?? read(db, actorId);
    this.#known.set(actorId, known);
    return known;
  }
}

async function read(db: Db, actorId: number): Promise<ActingAccount | undefined> {
  const [[account], accessRights] = await Promise.all([findAccounts(db, [actorId]), readAccessRights(db, actorId)]);
  if (account?.kind !== 'service-account') return undefined;
  return { actor: actorOf(account), can: (permission, scope) => accessRights.can(permission, scope) };
}
