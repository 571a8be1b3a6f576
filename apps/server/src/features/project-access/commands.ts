import type { Identity } from '../../kernel/caller.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { grantsOfRoles, listRoles, ownerRoleId, unknownAccounts } from '../access/index.ts';
import { listGroups } from '../groups/index.ts';
import { requireProject } from '../projects/index.ts';
import { type Holding, holdingsOf, isForProjects, isHeldBy, mappingsOf, type RoleMapping, without } from './holding.ts';
import * as store from './store.ts';

/** Whose roles a command is about. */
export type Holder = Pick<Holding, 'kind' | 'holderId'>;

/** What a command works on: a project, by whom. */
export interface Changing {
  readonly project: string;
  readonly caller: Identity;
}

/** Gives roles besides those there are. 400 for a role, a user or a group that does not exist. */
export async function addAccess(tx: Tx, changing: Changing, mappings: readonly RoleMapping[]): Promise<void> {
  const { project } = changing;
  await requireProject(tx.db, project);
  await requireKnown(tx.db, mappings);
  const before = await store.listHoldings(tx.db, project);
  const added = without(holdingsOf(mappings), before);
  if (added.length === 0) return;
  await change(tx, changing, before, [...before, ...added]);
  tx.record({ type: 'project-access-added', project, data: { roles: mappingsOf(added) } });
}

/** Sets who has which roles: who is not named has none from then on. Refusals as in {@link addAccess}. */
export async function setAccess(tx: Tx, changing: Changing, mappings: readonly RoleMapping[]): Promise<void> {
  const { project } = changing;
  await requireProject(tx.db, project);
  await requireKnown(tx.db, mappings);
  const before = await store.listHoldings(tx.db, project);
  if (!(await change(tx, changing, before, holdingsOf(mappings)))) return;
  tx.record({
    type: 'project-access-updated',
    project,
    preData: { roles: mappingsOf(before) },
    data: { roles: mappingsOf(holdingsOf(mappings)) },
  });
}

/** Sets the roles of one user or group; 404 when there is none. */
export async function setRoles(tx: Tx, changing: Changing, holder: Holder, roleIds: readonly number[]): Promise<void> {
  const { project } = changing;
  await requireProject(tx.db, project);
  await requireHolder(tx.db, holder);
  await requireRoles(tx.db, roleIds);
  const before = await store.listHoldings(tx.db, project);
  const wanted = [...new Set(roleIds)].map((roleId) => ({ ...holder, roleId }));
  const others = before.filter((one) => !isHeldBy(holder)(one));
  if (!(await change(tx, changing, before, [...others, ...wanted]))) return;
  tx.record({
    type: `project-access-${holder.kind}-roles-updated`,
    project,
    preData: holderData(holder, before.filter(isHeldBy(holder))),
    data: holderData(holder, wanted),
  });
}

/** Takes all roles from one user or group; 404 when it has none in the project. */
export async function removeRoles(tx: Tx, changing: Changing, holder: Holder): Promise<void> {
  const { project } = changing;
  await requireProject(tx.db, project);
  const before = await store.listHoldings(tx.db, project);
  const removed = before.filter(isHeldBy(holder));
  if (removed.length === 0) {
    throw new Problem('NotFoundError', `The ${holder.kind} ${holder.holderId} has no role in the project ${project}.`);
  }
  await change(tx, changing, before, without(before, removed));
  tx.record({ type: `project-access-${holder.kind}-roles-deleted`, project, preData: holderData(holder, removed) });
}

/** Makes `after` what holds in the project, and answers whether that is anything new. */
async function change(
  tx: Tx,
  { project, caller }: Changing,
  before: readonly Holding[],
  after: readonly Holding[],
): Promise<boolean> {
  const [added, removed] = [without(after, before), without(before, after)];
  if (added.length + removed.length === 0) return false;
  await requireMayGive(tx.db, caller, project, [...added, ...removed]);
  const owned = (holdings: readonly Holding[]) => holdings.some(({ roleId }) => roleId === ownerRoleId);
  if (owned(before) && !owned(after)) {
    throw new Problem('ProjectWithoutOwnerError', `The project ${project} must keep an Owner. Name another one first.`);
  }
  await store.deleteHoldings(tx, project, removed);
  await store.insertHoldings(tx, project, added);
  return true;
}

/**
 * A 403 unless the caller may do all that these roles grant: nobody makes themselves, or others, more than they are.
 * Administrators give every role, also one that grants what ADMIN does not imply.
 */
async function requireMayGive(db: Db, caller: Identity, project: string, holdings: readonly Holding[]): Promise<void> {
  if (caller.can('ADMIN')) return;
  const grants = await grantsOfRoles(db, [...new Set(holdings.map(({ roleId }) => roleId))]);
  const lacking = [...grants.values()]
    .flat()
    .filter(
      ({ permission, environment }) => !caller.can(permission, { project, environment: environment ?? undefined }),
    )
    .map(({ permission }) => permission);
  if (lacking.length === 0) return;
  const permissions = [...new Set(lacking)];
  const message = `You cannot give or take a role that grants what you may not do in ${project} yourself: ${permissions.join(', ')}.`;
  throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions } });
}

async function requireKnown(db: Db, mappings: readonly RoleMapping[]): Promise<void> {
  await requireRoles(
    db,
    mappings.map(({ roleId }) => roleId),
  );
  const unknownUsers = await unknownAccounts(db, [...new Set(mappings.flatMap(({ userIds }) => userIds))]);
  if (unknownUsers.length > 0) throw badField('users', `name ${unknownUsers.join(', ')}, which does not exist`);
  const unknown = await unknownGroups(db, [...new Set(mappings.flatMap(({ groupIds }) => groupIds))]);
  if (unknown.length > 0) throw badField('groups', `name ${unknown.join(', ')}, which does not exist`);
}

async function requireRoles(db: Db, roleIds: readonly number[]): Promise<void> {
  const known = new Set((await listRoles(db)).filter(isForProjects).map(({ id }) => id));
  const unknown = roleIds.filter((id) => !known.has(id));
  if (unknown.length > 0) throw badField('roles', `name ${unknown.join(', ')}, which is no role in projects`);
}

async function requireHolder(db: Db, { kind, holderId }: Holder): Promise<void> {
  const unknown = kind === 'user' ? await unknownAccounts(db, [holderId]) : await unknownGroups(db, [holderId]);
  if (unknown.length > 0) throw new Problem('NotFoundError', `There is no ${kind} ${holderId}.`);
}

async function unknownGroups(db: Db, ids: readonly number[]): Promise<number[]> {
  const known = new Set((await listGroups(db, ids)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

function holderData({ kind, holderId }: Holder, held: readonly Holding[]): Record<string, unknown> {
  const roles = held.map(({ roleId }) => roleId).toSorted((a, b) => a - b);
  return { roles, [kind === 'user' ? 'userId' : 'groupId']: holderId };
}
