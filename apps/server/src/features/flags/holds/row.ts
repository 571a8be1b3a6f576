import type { Tables } from '../../../storage/tables.ts';
import type { Hold, Lease } from './hold.ts';

/** What a row of `feature_leases`, joined as `l`, says of a hold. */
export const holdColumns = ['l.id as lease_id', 'l.effect', 'l.rollout', 'l.for_everyone'] as const;

/** All that a row of `feature_leases`, joined as `l`, says beside where it holds. */
export const leaseColumns = [
  ...holdColumns,
  'l.holder_kind',
  'l.holder_key',
  'l.run_id',
  'l.reason',
  'l.placed_by_user_id',
  'l.placed_by',
  'l.placed_at',
  'l.expires_at',
] as const;

type Row = Tables['feature_leases'];
type Maybe<T> = { readonly [K in keyof T]: T[K] | null };
type HoldRow = Maybe<Pick<Row, 'effect' | 'rollout' | 'for_everyone'>> & { readonly lease_id: number | null };
type LeaseRow = Maybe<Omit<Row, 'id' | 'feature_name' | 'environment'>> &
  HoldRow &
  Pick<Row, 'feature_name' | 'environment'>;

/** The hold that was joined; null where there was none. */
export function toHold({ lease_id: id, effect, rollout, for_everyone: forEveryone }: HoldRow): Hold | null {
  if (id === null) return null;
  return { id, effect: effect as Hold['effect'], rollout, forEveryone: forEveryone === 1 };
}

/** The lease that was joined; null where there was none. */
export function toLease(row: LeaseRow): Lease | null {
  const hold = toHold(row);
  const { placed_at: placedAt, holder_key: key, placed_by_user_id: userId, placed_by: name } = row;
  if (hold === null || placedAt === null || key === null || userId === null || name === null) return null;
  return {
    ...hold,
    featureName: row.feature_name,
    environment: row.environment,
    holder: { kind: row.holder_kind === 'run' ? 'run' : 'person', key, runId: row.run_id, userId, name },
    reason: row.reason,
    placedAt,
    expiresAt: row.expires_at,
  };
}
