import { boldName, type EventType, eventLabels, eventOriginSchema, readableAuthor } from '@yardarm/contract';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { JsonText } from '#kernel/json-text.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { detailsOf } from './event-details.ts';

const tagsColumn = jsonColumn('events.tags', z.array(z.object({ type: z.string(), value: z.string() })));

const originColumn = jsonColumn('events.origin', eventOriginSchema);

/** The data of an effective state. */
const stateColumn = jsonColumn(
  'events.data',
  z.object({ enabled: z.boolean(), lease: z.object({ rollout: z.number().nullish() }).nullish() }),
);

/** The data of a paused plan: only automation gives a reason. */
const pauseColumn = jsonColumn('events.data', z.object({ reason: z.string().nullable() }));

/**
 * Returns an event without its origin, which only administrators see. `data` and `preData` are the stored JSON text.
 */
export function presentEvent(row: EventRow) {
  return {
    id: row.id,
    type: row.type as EventType,
    createdBy: row.created_by,
    createdByUserId: row.created_by_user_id,
    createdAt: isoTime(row.created_at),
    data: row.data === null ? null : new JsonText(row.data),
    preData: row.pre_data === null ? null : new JsonText(row.pre_data),
    tags: tagsColumn.parse(row.tags, row.id),
    featureName: row.feature_name,
    project: row.project,
    environment: row.environment,
    label: labelOf(row),
    summary: summaryOf(row),
    groupId: row.group_id,
    groupType: row.group_type,
    cause: { requestId: row.request_id, signalId: row.signal_id, runId: row.run_id },
    outcome: row.outcome ?? ('success' as const),
    reason: row.reason,
  };
}

/** Returns {@link presentEvent} as JSON text. */
export function eventJson(row: EventRow): string {
  return asJson(presentEvent(row));
}

/** Returns an event with its origin as JSON text, for streamed answers. The origin is null unless `showsOrigin`. */
export function eventJsonWithOrigin(row: EventRow, showsOrigin: boolean): string {
  return asJson({ ...presentEvent(row), origin: showsOrigin ? originOfEvent(row) : null });
}

/** Returns where an event came from, which only administrators may see. */
export function originOfEvent({ origin, id }: Pick<EventRow, 'origin' | 'id'>) {
  return origin === null ? null : originColumn.parse(origin, id);
}

function asJson<T extends ReturnType<typeof presentEvent>>({ data, preData, ...rest }: T): string {
  return `{"data":${data?.text ?? 'null'},"preData":${preData?.text ?? 'null'},${JSON.stringify(rest).slice(1)}`;
}

type Labelled = Pick<EventRow, 'id' | 'type' | 'data' | 'pre_data'>;

/**
 * Returns the label of an event. The label of a change of the effective state says the new state of the flag, such as
 * `Flag went off`; that of a plan whether automation halted it or a person paused it.
 */
export function labelOf({ id, type, data, pre_data }: Labelled): string {
  if (type === 'feature-effective-state-changed') {
    const [was, is] = [stateIn(pre_data, id), stateIn(data, id)];
    const share = is.enabled ? is.lease?.rollout : undefined;
    if (typeof share === 'number') return `Flag went to ${share} %`;
    if (was.enabled !== is.enabled) return is.enabled ? 'Flag went on' : 'Flag went off';
    if (data !== null && !is.lease) return 'Flag went to its configured state';
  }
  if (type === 'release-plan-progressions-paused' && data !== null && pauseColumn.parse(data, id).reason !== null)
    return 'Release plan halted';
  return eventLabels[type as EventType] ?? type;
}

function stateIn(data: string | null, id: number) {
  return data === null ? { enabled: false, lease: null } : stateColumn.parse(data, id);
}

/** Returns a summary of an event as a Markdown sentence. */
export function summaryOf(
  row: Labelled & Pick<EventRow, 'created_by' | 'feature_name' | 'environment' | 'project'>,
): string {
  const label = labelOf(row);
  const words = label === row.type ? `triggered ${boldName(row.type)}` : lowerFirst(label);
  const where = [
    row.feature_name === null ? '' : ` ${boldName(row.feature_name)}`,
    row.environment === null ? '' : ` in ${boldName(row.environment)}`,
    row.project === null ? '' : ` (project ${boldName(row.project)})`,
  ].join('');
  return `${boldName(readableAuthor(row.created_by))}: ${words}${where}${detailsOf(row)}`;
}

function lowerFirst(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
