export {
  type AccessRightsCache,
  createAccessRightsCache,
  hasRole,
  privateProjects,
  projectRolesOf,
  readAccessRights,
} from './access-rights-cache.ts';
export { type Account, accountEventData, actorOf, presentAccount, unusedAccountFields } from './account.ts';
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
export { createActivityRecorder } from './activity-recorder.ts';
export { type OriginSettings, requireSameOrigin } from './cross-site.ts';
export {
  createAdminGuard,
  createProjectGuard,
  type LoginMethods,
  type OpenSession,
  type PersonalTokenLookup,
} from './guard.ts';
export { requireDistinctName } from './look-alike-name.ts';
export { makeOwner } from './owner.ts';
export { accountsWithPermission } from './permission-holders.ts';
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
