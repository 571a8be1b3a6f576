import type { Role } from '../access/index.ts';

/** That a user or a group has a role in a project. */
export interface Holding {
  readonly kind: 'user' | 'group';
  readonly holderId: number;
  readonly roleId: number;
}

export interface DatedHolding extends Holding {
  readonly addedAt: number;
}

/** Who has a role, as the API takes it and the event log keeps it (docs/spec#event-types). */
export interface RoleMapping {
  readonly roleId: number;
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
}

export function holdingsOf(mappings: readonly RoleMapping[]): Holding[] {
  const all = mappings.flatMap(({ roleId, userIds, groupIds }) => [
    ...userIds.map((holderId) => ({ kind: 'user' as const, holderId, roleId })),
    ...groupIds.map((holderId) => ({ kind: 'group' as const, holderId, roleId })),
  ]);
  return [...new Map(all.map((holding) => [keyOf(holding), holding])).values()];
}

export function mappingsOf(holdings: readonly Holding[]): RoleMapping[] {
  const idsOf = (held: readonly Holding[], kind: Holding['kind']) =>
    held
      .filter((one) => one.kind === kind)
      .map(({ holderId }) => holderId)
      .toSorted((a, b) => a - b);
  return [...Map.groupBy(holdings, ({ roleId }) => roleId)]
    .map(([roleId, held]) => ({ roleId, groupIds: idsOf(held, 'group'), userIds: idsOf(held, 'user') }))
    .toSorted((a, b) => a.roleId - b.roleId);
}

/** Those of `holdings` that are not among `others`. */
export function without<H extends Holding>(holdings: readonly H[], others: readonly Holding[]): H[] {
  const known = new Set(others.map(keyOf));
  return holdings.filter((holding) => !known.has(keyOf(holding)));
}

export function isHeldBy({ kind, holderId }: Pick<Holding, 'kind' | 'holderId'>): (holding: Holding) => boolean {
  return (holding) => holding.kind === kind && holding.holderId === holderId;
}

/** Whether a role is one that is given in projects. */
export function isForProjects({ type }: Pick<Role, 'type'>): boolean {
  return type === 'project' || type === 'custom';
}

function keyOf({ kind, holderId, roleId }: Holding): string {
  return `${kind} ${holderId} ${roleId}`;
}
