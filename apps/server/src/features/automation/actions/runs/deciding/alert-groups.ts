import type { NormalizedSignal, RecognisedFields } from '@yardarm/contract';
import type { PendingSignal } from '#features/signals/signals/index.ts';
import { chunksOf } from '#kernel/lists.ts';
import { textAt } from '#kernel/payload-path.ts';
import type { Tx } from '#storage/tx.ts';
import { nothingToReleaseText } from '../../kinds/index.ts';
import { type PayloadView, storableCondition } from '../../matching/index.ts';
import type { ActionSet } from '../../sets/index.ts';

/** How long an alert of a group counts as firing after the last report. Senders repeat an alert within some hours. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** Returns whether a set runs for groups of alerts as a whole, and releases what it holds. */
function readsGroups({ forEach, releaseFilters, actions }: ActionSet): boolean {
  return forEach === null && (releaseFilters !== null || actions.some(({ action }) => action === 'RELEASE_FEATURE'));
}

/**
 * Stores which alerts of a group fire, by a signal about them. A group can have several parts, such as those of two
 * routes of Alertmanager with the same labels, or of one route before and after it was edited. A report is about all
 * alerts of its part, so alerts that it lacks fire no more, unless the sender has left out some. The end of an alert
 * counts in all groups.
 */
export async function noteGroup(
  tx: Tx,
  { endpointId, sets }: { readonly endpointId: number; readonly sets: readonly ActionSet[] },
  { normalized }: Pick<PendingSignal, 'normalized'>,
  payload: unknown,
): Promise<void> {
  if (normalized === null || !sets.some(readsGroups)) return;
  const { elements, fingerprint, state, truncatedAlerts } = JSON.parse(normalized) as NormalizedSignal;
  if (fingerprint === null || elements.length === 0) return;
  const groups = tx.db.deleteFrom('alert_groups').where('endpoint_id', '=', endpointId);
  await groups.where('reported_at', '<', tx.now - keptMs).execute();
  for (const [time, ended] of Map.groupBy(ofState(elements, 'resolved'), ({ occurredAt }) => occurredAt)) {
    for (const part of chunksOf(ended.map(({ condition }) => condition))) {
      const over = groups.where('alert_condition', 'in', part);
      // The late end of an earlier occurrence ends nothing.
      await (time === null
        ? over
        : over.where((eb) => eb.or([eb('occurred_at', 'is', null), eb('occurred_at', '<=', time)]))
      ).execute();
    }
  }
  const group = { endpoint_id: endpointId, group_condition: storableCondition(fingerprint), part: partOf(payload) };
  // The state of a group is that of all its alerts, also of those that are left out.
  if (truncatedAlerts === undefined || state === 'resolved')
    // Alerts that are reported as ended were removed above, unless a later occurrence of them fires.
    await removeOthers(tx, group, [...ofState(elements, 'firing'), ...ofState(elements, 'resolved')]);
  await insertFiring(tx, group, ofState(elements, 'firing'));
}

/**
 * Returns why a flag that is held for a group is not released at the end of a part of it; undefined when no alert of
 * the group fires.
 */
export async function whyGroupFires(tx: Tx, endpointId: number, view: PayloadView): Promise<string | undefined> {
  if (view.element !== null) return undefined;
  const fingerprint = textAt(view.payload, 'normalized.fingerprint');
  const isGroup = textAt(view.payload, 'normalized.elements[0].fingerprint') !== undefined;
  const isOver = textAt(view.payload, 'normalized.state') === 'resolved';
  if (fingerprint === undefined || !isGroup || !isOver) return undefined;
  const { n } = await tx.db
    .selectFrom('alert_groups')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('endpoint_id', '=', endpointId)
    .where('group_condition', '=', storableCondition(fingerprint))
    .executeTakeFirstOrThrow();
  return Number(n) === 0 ? undefined : `${nothingToReleaseText}alerts of the group fire: ${n}.`;
}

interface Group {
  readonly endpoint_id: number;
  readonly group_condition: string;
  readonly part: string;
}
interface Member {
  readonly condition: string;
  readonly occurredAt: number | null;
}

function ofState(elements: readonly RecognisedFields[], wanted: 'firing' | 'resolved'): Member[] {
  return elements.flatMap(({ state, fingerprint, occurredAt }) =>
    state !== wanted || fingerprint === null
      ? []
      : { condition: storableCondition(fingerprint), occurredAt: occurredAt == null ? null : Date.parse(occurredAt) },
  );
}

/** Returns the part of a group that a payload is about, by the key that its sender gives the part. */
function partOf(payload: unknown): string {
  return storableCondition(textAt(payload, 'groupKey') ?? '');
}

/** Removes the alerts of a part that a report about it lacks. */
async function removeOthers(tx: Tx, group: Group, reported: readonly Member[]): Promise<void> {
  const stays = new Set(reported.map(({ condition }) => condition));
  const rows = await tx.db
    .selectFrom('alert_groups')
    .select('alert_condition')
    .where('endpoint_id', '=', group.endpoint_id)
    .where('group_condition', '=', group.group_condition)
    .where('part', '=', group.part)
    .execute();
  const gone = rows.map((row) => row.alert_condition).filter((condition) => !stays.has(condition));
  for (const part of chunksOf(gone)) {
    await tx.db
      .deleteFrom('alert_groups')
      .where('endpoint_id', '=', group.endpoint_id)
      .where('group_condition', '=', group.group_condition)
      .where('part', '=', group.part)
      .where('alert_condition', 'in', part)
      .execute();
  }
}

async function insertFiring(tx: Tx, group: Group, firing: readonly Member[]): Promise<void> {
  const unique = [...new Map(firing.map((member) => [member.condition, member])).values()];
  for (const part of chunksOf(unique)) {
    await tx.db
      .insertInto('alert_groups')
      .values(
        part.map(({ condition, occurredAt }) => {
          return { ...group, alert_condition: condition, occurred_at: occurredAt, reported_at: tx.now };
        }),
      )
      .onConflict((conflict) =>
        conflict.columns(['endpoint_id', 'group_condition', 'part', 'alert_condition']).doUpdateSet((eb) => ({
          occurred_at: eb.ref('excluded.occurred_at'),
          reported_at: eb.ref('excluded.reported_at'),
        })),
      )
      .execute();
  }
}
