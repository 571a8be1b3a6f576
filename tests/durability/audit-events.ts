import type { Ledger, SentChange } from './ledger.ts';
import type { Query } from './storage.ts';

export interface EventRow {
  id: number;
  type: string;
  created_at: number;
  data: string | null;
  pre_data: string | null;
  feature_name: string | null;
  environment: string | null;
  request_id: string | null;
}

/**
 * Checks that acknowledged changes have exactly their events, and that other events belong to a change that was sent.
 * Returns the breaches, and adds the changes of the other events to `found`.
 */
export function checkEvents(rows: readonly EventRow[], ledger: Ledger, found: Set<object>): string[] {
  const groups = Map.groupBy(
    rows.filter((row) => row.request_id !== null),
    (row) => row.request_id as string,
  );
  const broken: string[] = [];
  for (const change of ledger.changes) {
    if (change.acknowledgedAs === undefined) continue;
    const events = groups.get(change.acknowledgedAs);
    groups.delete(change.acknowledgedAs);
    if (events === undefined) broken.push(`acknowledged change ${change.types} left no event`);
    else if (!isOf(events, change)) broken.push(`change ${change.types} left ${events.map((event) => event.type)}`);
  }
  const open = ledger.changes.filter((change) => change.acknowledgedAs === undefined);
  for (const [requestId, events] of groups) {
    const index = open.findIndex((change) => isOf(events, change));
    if (index === -1) broken.push(`no request asked for ${events.map((event) => event.type)} of request ${requestId}`);
    else for (const change of open.splice(index, 1)) found.add(change);
  }
  return broken;
}

/** Returns whether these are exactly the events of that change. */
function isOf(events: readonly EventRow[], change: SentChange): boolean {
  if (events.length !== change.types.length) return false;
  if (events.some((event, index) => event.type !== change.types[index])) return false;
  if (events.some((event) => event.feature_name !== (change.feature ?? null))) return false;
  const last = events.at(-1);
  const data = JSON.parse(last?.data ?? last?.pre_data ?? '{}') as Record<string, unknown>;
  return Object.entries(change.data).every(([name, value]) => data[name] === value);
}

/** Checks that the rows equal the state that the events describe: endpoints and flags as last changed, none removed. */
export async function checkState(query: Query, events: readonly EventRow[]): Promise<string[]> {
  const described = replay(events);
  const found = new Map<string, string>();
  for (const row of await query<EndpointRow>(
    `select id, name, description, enabled, source, one_sender as "oneSender", rate_per_second as "ratePerSecond", burst,
      max_body_bytes as "maxBodyBytes", max_elements as "maxElements", fields, dropped, hashed,
      when_disabled as "whenDisabled", retention_days as "retentionDays",
      expected_minutes as "expectedMinutes", expected_filters as "expectedFilters", enabled_until as "enabledUntil" from signal_endpoints`,
  ))
    found.set(`endpoint ${row.id}`, JSON.stringify(endpointOf(row)));
  for (const { id } of await query<{ id: number }>('select id from api_tokens')) found.set(`token ${id}`, 'there');
  for (const row of await query<{ name: string; archived_at: number | null }>('select name, archived_at from features'))
    found.set(`flag ${row.name}`, row.archived_at === null ? 'in use' : 'archived');
  for (const row of await query<{ feature_name: string; environment: string }>(
    'select feature_name, environment from feature_environments where enabled = 1',
  ))
    found.set(`flag ${row.feature_name} in ${row.environment}`, 'on');
  return [...new Set([...described.keys(), ...found.keys()])]
    .filter((what) => described.get(what) !== found.get(what))
    .map((what) => `${what} is ${found.get(what)}, its events say ${described.get(what)}`);
}

interface EndpointRow {
  readonly id: number;
  readonly enabled: number;
  readonly oneSender: number;
  readonly fields: string | null;
  readonly dropped: string;
  readonly hashed: string;
  readonly expectedMinutes: number | null;
  readonly expectedFilters: string;
  readonly enabledUntil: number | null;
}

/** Returns a row as its events describe it. */
function endpointOf(row: EndpointRow) {
  return {
    ...row,
    enabled: row.enabled === 1,
    oneSender: row.oneSender === 1,
    fields: JSON.parse(row.fields ?? 'null'),
    dropped: JSON.parse(row.dropped),
    hashed: JSON.parse(row.hashed),
    expectedFilters: JSON.parse(row.expectedFilters),
    enabledUntil: row.enabledUntil === null ? null : new Date(Number(row.enabledUntil)).toISOString(),
  };
}

/** Returns the state that results from the events. */
function replay(events: readonly EventRow[]): Map<string, string> {
  const state = new Map<string, string>();
  for (const { type, data, pre_data: before, feature_name: feature, environment } of events) {
    const id = (JSON.parse(data ?? before ?? '{}') as { id?: number }).id;
    if (/^signal-endpoint-(created|updated)$/.test(type)) state.set(`endpoint ${id}`, data ?? '');
    else if (type === 'signal-endpoint-deleted') state.delete(`endpoint ${id}`);
    else if (type === 'api-token-created') state.set(`token ${id}`, 'there');
    else if (type === 'api-token-deleted') state.delete(`token ${id}`);
    else if (type === 'feature-created') state.set(`flag ${feature}`, 'in use');
    else if (type === 'feature-archived') state.set(`flag ${feature}`, 'archived');
    else if (type === 'feature-environment-enabled') state.set(`flag ${feature} in ${environment}`, 'on');
    else if (type === 'feature-environment-disabled') state.delete(`flag ${feature} in ${environment}`);
  }
  return state;
}
