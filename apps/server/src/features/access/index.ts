export { type Account, accountEventData, actorOf, foreignAccountFields, presentAccount } from './account.ts';
export {
  accountColumns,
  deleteAccountRow,
  findAccount,
  findAccountNamed,
  findAccounts,
  findPersonByEmail,
  insertAccount,
  listAccounts,
  toAccount,
  unknownAccounts,
  updateAccountRow,
} from './account-store.ts';
export { type BearerLookup, createAdminGuard, type LoginWays, type OpenSession } from './guard.ts';
export { requireDistinctName } from './look-alike-name.ts';
export { type OwnOrigin, requireOwnOrigin } from './own-origin.ts';
export { makeOwner } from './owner.ts';
export { accountsWhoMay } from './reviewers.ts';
export {
  adminRoleId,
  type Grant,
  isBuiltIn,
  isRootRole,
  ownerRoleId,
  presentRole,
  type Role,
  viewerRoleId,
} from './role.ts';
export { holdsAllOfRootRole } from './role-rights.ts';
export { grantsOfRoles, listRoles, listRootRoles, requireRootRole } from './role-store.ts';
export { createStandings, projectRolesOf, readStanding, type Standings } from './standings.ts';
export { createTraces } from './traces.ts';
