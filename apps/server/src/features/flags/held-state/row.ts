import { z } from 'zod';
import { anyList, jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import { type HeldMilestone, type Hold, type HoldEffect, holderKinds } from './hold.ts';

/** The columns of `feature_leases`, joined as `l`, that {@link toHoldEffect} reads. */
export const holdEffectColumns = [
  'l.id as lease_id',
  'l.effect',
  'l.rollout',
  'l.milestone',
  'l.for_everyone',
] as const;

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
  'l.alert_condition',
  'l.alert_at',
  'l.steps_down_at',
  'l.rests_until',
] as const;

const milestoneColumn = jsonColumn<HeldMilestone>(
  'feature_leases.milestone',
  z.object({ id: z.string(), name: z.string(), strategies: anyList<HeldStrategy>(), replaces: z.array(z.string()) }),
);

type HeldStrategy = HeldMilestone['strategies'][number];

/** Returns the stored text of a held milestone. */
export function milestoneText(milestone: HeldMilestone | null): string | null {
  return milestone === null ? null : milestoneColumn.write(milestone);
}

type Maybe<T> = { readonly [K in keyof T]: T[K] | null };
type HoldEffectRow = Maybe<Pick<Row<'feature_leases'>, 'effect' | 'rollout' | 'milestone' | 'for_everyone'>> & {
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
  milestone: json,
  for_everyone: forEveryone,
}: HoldEffectRow): HoldEffect | null {
  if (id === null) return null;
  const milestone = json === null ? null : milestoneColumn.parse(json, id);
  return { id, effect: effect as HoldEffect['effect'], rollout, milestone, forEveryone: forEveryone === 1 };
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
      kind: holderKinds.find((kind) => kind === row.holder_kind) ?? 'person',
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
    alert: row.alert_condition === null ? null : { condition: row.alert_condition, occurredAt: row.alert_at },
    stepsDownAt: row.steps_down_at,
    restsUntil: row.rests_until,
  };
}
