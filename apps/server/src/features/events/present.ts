import { type EventType, eventLabels, eventOriginSchema } from '@yardarm/contract';
import { z } from 'zod';
import { isoTime } from '../../kernel/clock.ts';
import { JsonText } from '../../kernel/json-text.ts';
import { jsonColumn } from '../../storage/json-column.ts';
import type { EventRow } from '../../storage/tables/events.ts';

const tagsColumn = jsonColumn('events.tags', z.array(z.object({ type: z.string(), value: z.string() })));

const originColumn = jsonColumn('events.origin', eventOriginSchema);

/** The data of an effective state. */
const stateColumn = jsonColumn('events.data', z.object({ enabled: z.boolean() }));
/** The data of an expired hold. */
const expiredHoldColumn = jsonColumn(
  'events.pre_data',
  z.object({ heldBy: z.object({ name: z.string() }), expiresAt: z.string(), onExpiry: z.string().optional() }),
);
const silenceColumn = jsonColumn(
  'events.data',
  z.object({ name: z.string(), silentSince: z.string(), expectedMinutes: z.number() }),
);
const troubledRunColumn = jsonColumn(
  'events.data',
  z.object({ name: z.string(), runId: z.number(), reason: z.string().nullable() }),
);

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
  const origin = row.origin === null || !showsOrigin ? null : originColumn.parse(row.origin, row.id);
  return asJson({ ...presentEvent(row), origin });
}

function asJson<T extends ReturnType<typeof presentEvent>>({ data, preData, ...rest }: T): string {
  return `{"data":${data?.text ?? 'null'},"preData":${preData?.text ?? 'null'},${JSON.stringify(rest).slice(1)}`;
}

type Labelled = Pick<EventRow, 'id' | 'type' | 'data' | 'pre_data'>;

/** Returns the label of an event. The label of a state change by a hold says whether the flag went on or off. */
export function labelOf({ id, type, data, pre_data }: Labelled): string {
  if (type === 'feature-effective-state-changed') {
    const [was, is] = [enabledIn(pre_data, id), enabledIn(data, id)];
    if (was !== is) return is ? 'Flag went on' : 'Flag went off';
  }
  return eventLabels[type as EventType] ?? type;
}

function enabledIn(data: string | null, id: number): boolean {
  return data !== null && stateColumn.parse(data, id).enabled;
}

/** Returns a summary of an event as a Markdown sentence. */
export function summaryOf(
  row: Labelled & Pick<EventRow, 'created_by' | 'feature_name' | 'environment' | 'project'>,
): string {
  const what = labelOf(row);
  const words = what === row.type ? `triggered **${row.type}**` : lowerFirst(what);
  const where = [
    row.feature_name === null ? '' : ` **${row.feature_name}**`,
    row.environment === null ? '' : ` in **${row.environment}**`,
    row.project === null ? '' : ` (project **${row.project}**)`,
  ].join('');
  return `**${row.created_by}**: ${words}${where}${heldUntil(row)}${ofRun(row)}${ofEndpoint(row)}`;
}

/** Returns the holder and the expiry time for the event of a hold that ends or will end, and nothing for others. */
function heldUntil({ id, type, data, pre_data }: Labelled): string {
  const text = type === 'feature-lease-expired' ? pre_data : type === 'feature-lease-expiring' ? data : null;
  if (text === null) return '';
  const { heldBy, expiresAt, onExpiry } = expiredHoldColumn.parse(text, id);
  const kept = onExpiry === 'keep' ? ', then kept until a person releases it' : '';
  return `, held by **${heldBy.name}** until ${expiresAt}${kept}`;
}

/** Returns the action set, the run and the reason for the event of a run in trouble, and nothing for other events. */
function ofRun({ id, type, data }: Labelled): string {
  if ((type !== 'action-run-failed' && type !== 'action-run-stopped') || data === null) return '';
  const { name, runId, reason } = troubledRunColumn.parse(data, id);
  return `: **${name}**, run ${runId}${reason === null ? '' : `. ${reason}`}`;
}

/** Returns the endpoint and its last sign for the events of silence, and nothing for other events. */
function ofEndpoint({ id, type, data }: Labelled): string {
  if ((type !== 'signal-endpoint-silent' && type !== 'signal-endpoint-heard') || data === null) return '';
  const { name, silentSince, expectedMinutes } = silenceColumn.parse(data, id);
  if (type === 'signal-endpoint-heard') return `: **${name}**, silent since ${silentSince}`;
  const minutes = expectedMinutes === 1 ? 'minute' : `${expectedMinutes} minutes`;
  return `: **${name}** has got no signal since ${silentSince}, and expects one every ${minutes}`;
}

function lowerFirst(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
