import type { Row } from '../../../storage/tables.ts';
import type { Hold, HoldEffect } from './hold.ts';

/** The columns of `feature_leases`, joined as `l`, that {@link toHoldEffect} reads. */
export const holdEffectColumns = ['l.id as lease_id', 'l.effect', 'l.rollout', 'l.for_everyone'] as const;

/** The columns of `feature_leases`, joined as `l`, that {@link toHold} reads besides the flag and the environment. */
export const holdColumns = [
  ...holdEffectColumns,
  'l.holder_kind',
  'l.holder_key',
  'l.run_id',
  'l.action_set_id',
  'l.renewed_by_run_id',
  'l.reason',
  'l.placed_by_user_id',
  'l.placed_by',
  'l.placed_at',
  'l.expires_at',
  'l.on_expiry',
] as const;

type Maybe<T> = { readonly [K in keyof T]: T[K] | null };
type HoldEffectRow = Maybe<Pick<Row<'feature_leases'>, 'effect' | 'rollout' | 'for_everyone'>> & {
  readonly lease_id: number | null;
};
type HoldRow = Maybe<Omit<Row<'feature_leases'>, 'id' | 'feature_name' | 'environment' | 'announce_at'>> &
  HoldEffectRow &
  Pick<Row<'feature_leases'>, 'feature_name' | 'environment'>;

/** Returns the effect of the joined hold; null when the join found no hold. */
export function toHoldEffect({
  lease_id: id,
  effect,
  rollout,
  for_everyone: forEveryone,
}: HoldEffectRow): HoldEffect | null {
  if (id === null) return null;
  return { id, effect: effect as HoldEffect['effect'], rollout, forEveryone: forEveryone === 1 };
}

/** Returns the joined hold; null when the join found none. */
export function toHold(row: HoldRow): Hold | null {
  const effect = toHoldEffect(row);
  const { placed_at: placedAt, holder_key: key, placed_by_user_id: userId, placed_by: name } = row;
  if (effect === null || placedAt === null || key === null || userId === null || name === null) return null;
  return {
    ...effect,
    featureName: row.feature_name,
    environment: row.environment,
    holder: {
      kind: row.holder_kind === 'run' ? 'run' : 'person',
      key,
      runId: row.run_id,
      actionSetId: row.action_set_id,
      userId,
      name,
    },
    reason: row.reason,
    placedAt,
    expiresAt: row.expires_at,
    onExpiry: row.on_expiry === 'keep' ? 'keep' : 'release',
    renewedByRunId: row.renewed_by_run_id,
  };
}
