import type { Author } from '../../../kernel/actor.ts';
import type { Db } from '../../../storage/tx.ts';
import { actorOf, findAccounts, readAccessRights } from '../../access/index.ts';

/** A service account with what it may do. */
export type Acting = Pick<Author, 'actor'> & Required<Pick<Author, 'can'>>;

/**
 * The service accounts of the runs of one change, as they are in it, each read once: what they may do does not change while other changes
 * wait.
 */
export class Authors {
  readonly #known = new Map<number, Promise<Acting | undefined>>();

  /** The service account; undefined when it is gone. */
  of(db: Db, actorId: number): Promise<Acting | undefined> {
    const known = this.#known.get(actorId) ?? read(db, actorId);
    this.#known.set(actorId, known);
    return known;
  }
}

async function read(db: Db, actorId: number): Promise<Acting | undefined> {
  const [[account], rights] = await Promise.all([findAccounts(db, [actorId]), readAccessRights(db, actorId)]);
  if (account?.kind !== 'service-account') return undefined;
  return { actor: actorOf(account), can: (permission, scope) => rights.can(permission, scope) };
}
