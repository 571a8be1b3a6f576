import type { EventRow } from '#storage/tables/events.ts';

/**
 * Returns the JSON text of an event as a CloudEvent (CloudEvents 1.0.2, JSON format). `json` is the event's own JSON
 * text, and `baseUrl` the public URL of this server. Together, `source` and `id` identify the event.
 */
export function cloudEventJson(row: EventRow, json: string, baseUrl: string): string {
  const subject = [
    row.project === null ? '' : `projects/${encodeURIComponent(row.project)}`,
    row.feature_name === null ? '' : `features/${encodeURIComponent(row.feature_name)}`,
    row.environment === null ? '' : `environments/${encodeURIComponent(row.environment)}`,
  ];
  const attributes = {
    specversion: '1.0',
    id: String(row.id),
    source: `${baseUrl}/api/admin/events`,
    type: `yardarm.${row.type}`,
    ...(subject.every((part) => part === '') ? {} : { subject: subject.filter((part) => part !== '').join('/') }),
    time: new Date(row.created_at).toISOString(),
    datacontenttype: 'application/json',
    dataschema: `${baseUrl}/docs/event-types/${row.type}`,
  };
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${json}}`;
}
