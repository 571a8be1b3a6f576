import { attentionKinds, boldName, describeValue, type EventType, holdEffects, nameOfQuery } from '@yardarm/contract';
import { z } from 'zod';
import { stateOf } from '#features/flags/held-state/index.ts';
import { storedFilters, whereText } from '#features/platform/payload-filters/index.ts';
import { timeText } from '#kernel/clock.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';

type Described = Pick<EventRow, 'id' | 'type' | 'data' | 'pre_data'>;

const hold = z.object({
  effect: z.enum(holdEffects),
  rollout: z.number().nullable(),
  // Absent in events that were recorded before a flag could be held at a milestone.
  milestone: z.object({ name: z.string() }).nullish(),
  reason: z.string().nullable(),
  expiresAt: z.string().nullable(),
  // Absent in events that were recorded before a hold could be kept after its time.
  onExpiry: z.string().optional(),
});
const override = z.object({ reason: z.string(), endsAt: z.string().nullable() });
const endingHold = z.object({
  heldBy: z.object({ name: z.string() }),
  expiresAt: z.string(),
  onExpiry: z.string().optional(),
});
const milestone = z.object({ milestoneName: z.string() });
const paused = z.object({ milestoneName: z.string(), reason: z.string().nullable() });
const outlasted = z.object({
  alerts: z.array(z.object({ name: z.string() })),
  total: z.number(),
});
const safeguard = z.object({
  impactMetric: z.object({
    metricName: z.string(),
    aggregationMode: z.string(),
    source: z.string().optional(),
    dividedBy: z.object({ metricName: z.string() }).optional(),
  }),
  triggerCondition: z.object({ operator: z.enum(['>', '<']), threshold: z.number() }),
});
const triggered = safeguard.extend({ value: z.number() });
const blind = safeguard.extend({ since: z.string(), reason: z.string().nullable() });
const seeing = safeguard.extend({ since: z.string(), value: z.number().nullable() });
const silence = z.object({
  name: z.string(),
  silentSince: z.string(),
  expectedMinutes: z.number(),
  // Absent in events that were recorded before an endpoint could filter its expected signals.
  expectedFilters: storedFilters.optional(),
});
const run = z.object({ name: z.string(), runId: z.number(), reason: z.string().nullable() });
const call = z.object({ name: z.string(), runId: z.number(), attempts: z.number(), error: z.string() });
const blocked = z.object({ name: z.string(), reason: z.string() });
const refused = z.object({
  name: z.string().nullable(),
  tokenName: z.string().nullable(),
  reasons: z.array(z.string()),
  refused: z.number(),
});
const frozen = z.object({ reason: z.string().nullable() });
const attention = z.object({
  items: z.array(z.object({ kind: z.enum(attentionKinds), name: z.string() })),
  total: z.number(),
});
const withoutEffect = z.object({
  name: z.string(),
  alerts: z.array(z.object({ title: z.string().nullable(), reason: z.string() })),
  total: z.number(),
});
const switched = z.object({ name: z.string(), enabled: z.boolean() });

/** The end of the summary of an event, by its type: what the recorded values add to the other fields. */
const details: Partial<Record<EventType, (event: Described) => string>> = {
  'feature-lease-placed': ofData(hold, heldHow),
  'feature-lease-updated': ofData(hold, heldHow),
  'feature-lease-stepped-down': ofData(hold, heldHow),
  'feature-lease-expiring': ofData(endingHold, heldUntil),
  'feature-lease-expired': ofPreData(endingHold, heldUntil),
  'feature-override-placed': ofData(override, overriddenUntil),
  'feature-override-updated': ofData(override, overriddenUntil),
  'feature-override-outlasted': ofData(outlasted, ({ alerts, total }) => {
    const names = [...new Set(alerts.map(({ name }) => boldName(name)))].join(', ');
    return `: ${counted(total, 'hold')} of ${names} for alerts that fire. Waits for a person: hold now, or drop`;
  }),
  'release-plan-milestone-started': ofData(milestone, ({ milestoneName }) => `: ${boldName(milestoneName)}`),
  'release-plan-progressions-paused': ofData(paused, atMilestone),
  'release-plan-progressions-resumed': ofData(paused, atMilestone),
  'release-plan-waiting': ofData(paused, atMilestone),
  'safeguard-triggered': ofData(triggered, ({ impactMetric, triggerCondition, value }) => {
    return `: ${describeValue(impactMetric, triggerCondition, value)}`;
  }),
  'safeguard-no-data': ofData(blind, ({ impactMetric, since, reason }) => {
    const why = reason === null ? '' : `. ${reason}`;
    return `: ${nameOfQuery(impactMetric)} has had no value since ${timeText(Date.parse(since))}${why}`;
  }),
  'safeguard-no-data-ended': ofData(seeing, ({ impactMetric, triggerCondition, since, value }) => {
    const now =
      value === null
        ? `${nameOfQuery(impactMetric)}, because the flag is off or the safeguard was deleted`
        : describeValue(impactMetric, triggerCondition, value);
    return `: ${now}. It had no value since ${timeText(Date.parse(since))}`;
  }),
  'action-run-failed': ofData(run, ofRun),
  'action-run-stopped': ofData(run, ofRun),
  'action-run-approved': ofData(run, ofRun),
  'action-run-dropped': ofData(run, ofRun),
  'action-call-given-up': ofData(call, ({ name, runId, attempts, error }) => {
    return `: ${boldName(name)}, run ${runId}, after ${counted(attempts, 'attempt')}. ${error}`;
  }),
  'action-set-blocked': ofData(blocked, ({ name, reason }) => `: ${boldName(name)}. ${reason}`),
  'action-set-unblocked': ofData(blocked, ({ name, reason }) => `: ${boldName(name)}. ${reason}`),
  'signal-endpoint-silent': ofData(silence, ({ name, silentSince, expectedMinutes, expectedFilters = {} }) => {
    const minutes = expectedMinutes === 1 ? 'minute' : `${expectedMinutes} minutes`;
    return `: ${boldName(name)} has got no signal${whereText(expectedFilters)} since ${timeText(Date.parse(silentSince))}, and expects one every ${minutes}`;
  }),
  'signal-endpoint-heard': ofData(
    silence,
    ({ name, silentSince }) => `: ${boldName(name)}, silent since ${timeText(Date.parse(silentSince))}`,
  ),
  'signals-refused': ofData(refused, ({ name, tokenName, reasons, refused: count }) => {
    const who = name === null ? 'several endpoints' : boldName(name);
    const token = tokenName === null ? '' : `, token ${boldName(tokenName)}`;
    return `: ${who} refused ${counted(count, 'request')} (${reasons.join(', ')}${token})`;
  }),
  'automation-frozen': ofData(frozen, ({ reason }) => (reason === null ? '' : `: ${reason}`)),
  'automation-acknowledged': ofData(attention, ofItems),
  'automation-acknowledgement-withdrawn': ofData(attention, ofItems),
  'automation-unacknowledged': ofData(attention, ofItems),
  'alerts-without-effect': ofData(withoutEffect, ({ name, alerts: [newest], total }) => {
    const more = total > 1 ? `, and ${counted(total - 1, 'other')}` : '';
    return `: ${boldName(newest?.title ?? `an alert of ${name}`)} of ${boldName(name)}${more}. ${newest?.reason ?? ''}`;
  }),
  'alerts-without-effect-ended': ofData(withoutEffect.pick({ name: true }), ({ name }) => ` of ${boldName(name)}`),
  'actions-updated': ofSwitch,
  'signal-endpoint-updated': ofSwitch,
};

/** Returns the end of the summary of an event; empty for types whose other fields say everything. */
export function detailsOf(event: Described): string {
  return details[event.type as EventType]?.(event) ?? '';
}

function ofData<T>(schema: z.ZodType<T>, describe: (value: T) => string) {
  const column = jsonColumn<T>('events.data', schema);
  return ({ id, data }: Described) => (data === null ? '' : describe(column.parse(data, id)));
}

function ofPreData<T>(schema: z.ZodType<T>, describe: (value: T) => string) {
  const column = jsonColumn<T>('events.pre_data', schema);
  return ({ id, pre_data: data }: Described) => (data === null ? '' : describe(column.parse(data, id)));
}

function heldHow({ reason, expiresAt, onExpiry, ...held }: z.infer<typeof hold>): string {
  const kept = onExpiry === 'keep' ? ', then until a person releases it' : '';
  const until = expiresAt === null ? '' : `, until ${timeText(Date.parse(expiresAt))}${kept}`;
  return ` ${boldName(stateOf(held))}${until}${reason === null ? '' : `: ${reason}`}`;
}

function overriddenUntil({ reason, endsAt }: z.infer<typeof override>): string {
  return `${endsAt === null ? '' : `, until ${timeText(Date.parse(endsAt))}`}: ${reason}`;
}

/** Describes the holder and the expiry time of a hold that ends or will end. */
function heldUntil({ heldBy, expiresAt, onExpiry }: z.infer<typeof endingHold>): string {
  const kept = onExpiry === 'keep' ? ', then kept until a person releases it' : '';
  return `, held by ${boldName(heldBy.name)} until ${timeText(Date.parse(expiresAt))}${kept}`;
}

function atMilestone({ milestoneName, reason }: z.infer<typeof paused>): string {
  return ` at ${boldName(milestoneName)}${reason === null ? '' : `: ${reason}`}`;
}

const itemWords: Readonly<Record<(typeof attentionKinds)[number], string>> = {
  hold: 'hold of',
  run: 'waiting run of',
  plan: 'halted plan of',
  alert: 'alert',
};

/** Names the items; says how many there are when it cannot name all. */
function ofItems({ items, total }: z.infer<typeof attention>): string {
  const named = items.map(({ kind, name }) => `${itemWords[kind]} ${boldName(name)}`).join(', ');
  return `: ${named}${total > items.length ? ` (${items.length} of ${total})` : ''}`;
}

function ofRun({ name, runId, reason }: z.infer<typeof run>): string {
  return `: ${boldName(name)}, run ${runId}${reason === null ? '' : `. ${reason}`}`;
}

const switchedColumn = jsonColumn('events.data', switched);

/** Returns the name of the changed object, and whether the change enabled or disabled it. */
function ofSwitch({ id, data, pre_data: before }: Described): string {
  if (data === null || before === null) return '';
  const { name, enabled } = switchedColumn.parse(data, id);
  const was = switchedColumn.parse(before, id).enabled;
  return `: ${boldName(name)}${was === enabled ? '' : enabled ? ', enabled' : ', disabled'}`;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
