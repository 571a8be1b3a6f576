import { type Account, findAccountNamed, findPersonByEmail } from '#features/people/access/index.ts';
import { recordControl } from '#features/people/account-control/index.ts';
import { domainsOf, type OidcSettings } from '#features/people/auth-settings/index.ts';
import { syncMappedGroups } from '#features/people/groups/index.ts';
import { createUser, revokeUnverifiedAccess } from '#features/people/users/index.ts';
import { publicAuthorOf, type RequestInfo } from '#http/request.ts';
import { systemActor } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import type { Person } from './claims.ts';

/**
 * Returns the account of a person whom the provider has authenticated. Creates it when `autoCreate` is on (just-in-time
 * provisioning), and rejects with 403 otherwise. Syncs groups when the settings say so. The actor of the events is the
 * system.
 */
export function provisionAccount(
  { write }: Database,
  person: Person,
  settings: OidcSettings,
  request: RequestInfo,
): Promise<Account> {
  return write(publicAuthorOf(systemActor, request), async (tx) => {
    const account = (await findPersonByEmail(tx.db, person.email)) ?? (await create(tx, person, settings));
    await revokeUnverifiedAccess(tx, account.id);
    if (settings.enableGroupSyncing && person.groups !== undefined)
      await syncMappedGroups(tx, account.id, person.groups);
    return account;
  });
}

async function create(tx: Tx, { email, name }: Person, settings: OidcSettings): Promise<Account> {
  if (!settings.autoCreate)
    throw new Problem(
      'ForbiddenError',
      `There is no user with the e-mail address ${email}. Ask an administrator to create one.`,
    );
  const domains = domainsOf(settings);
  if (domains.length > 0 && !domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new Problem('ForbiddenError', `The domain of ${email} is not allowed for new users. Ask an administrator.`);
  // The address may be the user name of another account, or of a service account, which cannot log in.
  if ((await findAccountNamed(tx.db, [email])) !== undefined)
    throw new Problem('ForbiddenError', `Another account has the user name ${email}. Ask an administrator.`);
  const account = await createUser(tx, { email, name: name ?? undefined, rootRole: settings.defaultRootRoleId }, null);
  await recordControl(tx, account.id, 'signed-up', null);
  return account;
}
