export { type Account, accountEventData, actorOf, presentAccount } from './account.ts';
export {
  accountColumns,
  deleteAccountRow,
  findAccount,
  findAccountNamed,
  insertAccount,
  listAccounts,
  toAccount,
  updateAccountRow,
} from './account-store.ts';
export { type BearerLookup, createAdminGuard, type OpenSession } from './guard.ts';
export { type OwnOrigin, requireOwnOrigin } from './own-origin.ts';
export { adminRoleId, permissionsOf } from './role.ts';
export { listRootRoles, presentRootRole, requireRootRole } from './role-store.ts';
export { createTraces } from './traces.ts';
