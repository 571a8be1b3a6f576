import type { Identity, PermissionScope } from '../kernel/caller.ts';
import { Problem } from '../kernel/errors.ts';

/** A 403 that names what is missing, unless the caller holds one of the permissions in `scope`. */
export function requirePermission(
  identity: Identity,
  permission: string | readonly string[],
  scope: PermissionScope,
): void {
  const needed = typeof permission === 'string' ? [permission] : permission;
  if (needed.some((one) => identity.can(one, scope))) return;
  const message = `You need ${needed.length === 1 ? `the permission ${needed[0]}` : `one of the permissions ${needed.join(', ')}`}${scope.environment === undefined ? '' : ` in ${scope.environment}`} to do this.`;
  throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions: needed } });
}
