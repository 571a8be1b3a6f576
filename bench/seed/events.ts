import type { Installation } from '../installation.ts';
import { withoutIndexes } from './indexes.ts';
import { textOf, withNumbers } from './numbers.ts';

export interface EventSeed {
  readonly count: number;
  /** The number of flags that the events are about, `flag-0` and on. */
  readonly flags: number;
  /** The project of one event in 20; the other events are of `default`. */
  readonly smallProject: string;
}

const strategy = (rollout: string) =>
  JSON.stringify({
    name: 'flexibleRollout',
    parameters: { groupId: 'checkout', rollout, stickiness: 'userId' },
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['customer-{i}'] }],
  });
const flag = (description: string) =>
  JSON.stringify({ name: 'flag', type: 'release', description, project: 'default', stale: false });

/** The mix of flag events: of nine, four toggle, two change a strategy, two change the flag, one creates it. */
const kinds: readonly { readonly type: string; readonly data?: string; readonly preData?: string }[] = [
  { type: 'feature-created', data: flag('New in release {i}') },
  { type: 'feature-environment-enabled' },
  { type: 'feature-strategy-update', data: strategy('50'), preData: strategy('25') },
  { type: 'feature-environment-disabled' },
  { type: 'feature-metadata-updated', data: flag('As of release {i}'), preData: flag('As of before') },
  { type: 'feature-environment-enabled' },
  { type: 'feature-strategy-update', data: strategy('100'), preData: strategy('50') },
  { type: 'feature-environment-disabled' },
  { type: 'feature-stale-on' },
];

/** Returns a text that only one of `count` seeded events contains, which is near the newest. */
export function searchedCustomer(count: number): string {
  const newest = Array.from({ length: kinds.length }, (_, age) => count - age);
  return `customer-${newest.find((i) => kinds[i % kinds.length]?.type === 'feature-strategy-update')}`;
}

/** Adds events after the existing ones, one a second until now, with their search index, totals and counter. */
export async function seedEvents(installation: Installation, { count, flags, smallProject }: EventSeed): Promise<void> {
  const [before] = await installation.query<{ last: number }>(
    "select cast(value as integer) as last from counters where name = 'event'",
  );
  const first = before?.last ?? 0;
  const now = Date.now();
  const byKind = (value: (kind: (typeof kinds)[number]) => string | undefined) =>
    `case i % ${kinds.length} ${kinds.map((kind, index) => `when ${index} then ${optional(value(kind))}`).join(' ')} end`;
  await withoutIndexes(
    installation,
    ['events'],
    [
      `insert into events (id, type, created_at, created_by, created_by_user_id, data, pre_data, tags, feature_name, project,
        environment, group_type, group_id, request_id, signal_id, run_id)
      ${withNumbers(count)} select ${first} + i, ${byKind((kind) => kind.type)}, ${now} - (${count} - i) * cast(1000 as bigint),
        'bench', 1, ${byKind((kind) => kind.data)}, ${byKind((kind) => kind.preData)}, '[]', 'flag-' || (i % ${flags}),
        case when i % 20 = 0 then '${smallProject}' else 'default' end,
        case when i % ${kinds.length} in (0, 4, 8) then null when i % 3 = 0 then 'production' else 'development' end,
        null, null, ${textOf('request-{i}')}, null, null from n`,
      'delete from event_totals',
      ...totals('project', 'project'),
      ...totals('feature', 'feature_name'),
      'delete from event_days',
      ...days('project'),
      ...days('environment'),
      `update counters set value = ${first + count}, moved_at = ${now} where name = 'event'`,
    ],
  );
}

function totals(scope: string, column: string): string[] {
  return [
    `insert into event_totals (scope, name, total)
      select '${scope}', ${column}, count(*) from events where ${column} is not null group by ${column}`,
  ];
}

function days(scope: 'project' | 'environment'): string[] {
  return [
    `insert into event_days (scope, name, day, total)
      select '${scope}', ${scope}, created_at - created_at % 86400000, count(*) from events where ${scope} is not null group by 2, 3`,
  ];
}

function optional(template: string | undefined): string {
  return template === undefined ? 'null' : textOf(template);
}
