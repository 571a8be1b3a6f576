import { systemActor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tx.ts';
import { type Account, findAccountNamed, findPersonByEmail } from '../access/index.ts';
import { domainsOf, type OidcSettings } from '../auth-settings/index.ts';
import { followMappings } from '../groups/index.ts';
import { createUser, dropUnprovenAccess } from '../users/index.ts';
import type { Person } from './claims.ts';

/**
 * The account of somebody whom the provider let in, which is created if the settings say so; their groups follow what the
 * provider says. 403 when there is none. What happens is done by the system, because nobody else is here yet.
 */
export function admit(
  { write }: Database,
  person: Person,
  settings: OidcSettings,
  requestId: string,
): Promise<Account> {
  return write({ actor: systemActor, cause: { requestId } }, async (tx) => {
    const account = (await findPersonByEmail(tx.db, person.email)) ?? (await create(tx, person, settings));
    await dropUnprovenAccess(tx, account.id);
    if (settings.enableGroupSyncing && person.groups !== undefined) await followMappings(tx, account.id, person.groups);
    return account;
  });
}

async function create(tx: Tx, { email, name }: Person, settings: OidcSettings): Promise<Account> {
  if (!settings.autoCreate)
    throw new Problem(
      'ForbiddenError',
      `There is no user with the e-mail address ${email}. Ask an administrator for one.`,
    );
  const domains = domainsOf(settings);
  if (domains.length > 0 && !domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new Problem('ForbiddenError', `Users are not created for e-mail addresses such as ${email}.`);
  // A user name may look like an address, and a service account is nobody who logs in.
  if ((await findAccountNamed(tx.db, [email])) !== undefined)
    throw new Problem('ForbiddenError', `An account that is not yours is called ${email}. Ask an administrator.`);
  return createUser(tx, { email, name: name ?? undefined, rootRole: settings.defaultRootRoleId }, null);
}
