import type { EventType } from '@yardarm/contract';
import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Thread } from '../threads/index.ts';

/** A page of the interface. Opening it changes nothing: chat programs fetch links. */
export interface Link {
  readonly text: string;
  readonly url: string;
}

const idsColumn = jsonColumn(
  'events.data',
  z.object({
    runId: z.number().nullish(),
    actionSetId: z.number().nullish(),
  }),
);

/** Events about holds and overrides that a person may want to end. */
const holdTypes: ReadonlySet<EventType> = new Set([
  'feature-lease-placed',
  'feature-lease-updated',
  'feature-lease-stepped-down',
  'feature-lease-expiring',
]);
const runTypes: ReadonlySet<EventType> = new Set(['action-run-failed', 'action-run-stopped', 'action-call-given-up']);
const setTypes: ReadonlySet<EventType> = new Set([...runTypes, 'action-set-blocked', 'action-set-unblocked']);
const endpointTypes: ReadonlySet<EventType> = new Set([
  'signal-endpoint-silent',
  'signal-endpoint-heard',
  'signal-endpoint-updated',
  'signals-refused',
  'alerts-without-effect',
  'alerts-without-effect-ended',
]);
/** Events about automation as a whole, which the page Now shows. */
const automationTypes: ReadonlySet<EventType> = new Set([
  'automation-frozen',
  'automation-resumed',
  'automation-acknowledged',
  'automation-acknowledgement-withdrawn',
  'automation-unacknowledged',
  'release-plan-waiting',
  'release-plan-progressions-paused',
]);
const alertsColumn = jsonColumn(
  'events.data',
  z.object({ alerts: z.array(z.object({ link: z.string().nullable() })) }),
);
/** Events after which a person has to decide, on Now. */
const decisionTypes: ReadonlySet<EventType> = new Set(['feature-override-outlasted']);

/**
 * Returns the pages about the subject of an event and its incident, the most urgent first. Who reads messages may have
 * the role On call alone: none of the pages is for administrators only.
 */
export function pagesOf(event: EventRow, baseUrl: string, thread?: Pick<Thread, 'headline' | 'incidentId'>): Link[] {
  const type = event.type as EventType;
  const ids = event.data !== null && setTypes.has(type) ? idsColumn.parse(event.data, event.id) : {};
  const runId = event.run_id ?? ids.runId;
  const project = event.project === null ? undefined : `/projects/${encodeURIComponent(event.project)}`;
  const alert =
    type === 'alerts-without-effect' && event.data !== null
      ? alertsColumn.parse(event.data, event.id).alerts[0]?.link
      : undefined;
  // A message about several flags leads to all of them.
  const isOfMany = thread?.headline != null;
  const pages: (readonly [string, string] | false | undefined)[] = [
    decisionTypes.has(type) && ['Hold now or drop', '/personal'],
    !isOfMany &&
      event.feature_name !== null &&
      project !== undefined && [
        holdTypes.has(type) ? 'Release or override' : 'Open the flag',
        `${project}/features/${encodeURIComponent(event.feature_name)}`,
      ],
    thread?.incidentId != null && ['Open the incident', `/incidents/${thread.incidentId}`],
    !isOfMany && runId != null && ['Open the run', `/runs/${runId}`],
    setTypes.has(type) &&
      project !== undefined && [
        'Open the runs of the action set',
        `${project}/settings/actions?runsOf=${ids.actionSetId}`,
      ],
    (automationTypes.has(type) || holdTypes.has(type) || endpointTypes.has(type)) && ['Open Now', '/personal'],
  ];
  const own = pages.flatMap((page) => (page ? [{ text: page[0], url: `${baseUrl}${page[1]}` }] : []));
  return alert == null ? own : [...own, { text: 'Open the alert', url: alert }];
}
