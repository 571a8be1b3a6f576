import type { Installation } from '../installation.ts';
import { textOf, withNumbers } from './numbers.ts';

export interface FlagSeed {
  readonly count: number;
  readonly project: string;
  /** The names of the flags are this prefix and a number from 0. */
  readonly prefix: string;
  /** Environments besides the two that the product begins with, in which the flags are off. */
  readonly environments?: readonly string[];
}

const rollout = JSON.stringify({ groupId: 'flag-{i}', rollout: '50', stickiness: 'userId' });
const constraint = (contextName: string, values: readonly string[]) => ({
  contextName,
  operator: 'IN',
  values,
  inverted: false,
  caseInsensitive: false,
});
const constraints = [
  [
    constraint(
      'userId',
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `customer-${n}-{i}`),
    ),
    constraint('country', ['at', 'ch', 'de', 'fr', 'it']),
  ],
  [constraint('appName', ['shop', 'shop-admin', 'mobile']), constraint('tenant', ['tenant-{i}', 'tenant-of-tests'])],
];

/** Adds flags to an existing project: on in `development` with two strategies, off and without one elsewhere. */
export async function seedFlags(installation: Installation, seed: FlagSeed): Promise<void> {
  await installation.execute(flagStatements(seed));
  await installation.vacuum();
}

/** Returns the statements of {@link seedFlags}, for a caller that seeds many projects at once. */
export function flagStatements({ count, project, prefix, environments: more = [] }: FlagSeed): string[] {
  const text = (template: string) => textOf(template, 'i - 1');
  const name = text(`${prefix}{i}`);
  const now = Date.now();
  const numbers = withNumbers(count);
  const strategies = constraints.map(
    (list, order) => `insert into feature_strategies
      (id, feature_name, environment, name, title, disabled, sort_order, parameters, constraints, variants, created_at)
      ${numbers} select ${text(`${prefix}{i}-strategy-${order}`)}, ${name}, 'development', 'flexibleRollout', null, 0,
        ${order}, ${text(rollout)}, ${text(JSON.stringify(list))}, '[]', ${now} from n`,
  );
  const fields = constraints.flatMap((list, order) =>
    list.map(
      ({ contextName }) => `insert into feature_strategy_fields
        (strategy_id, field, strategy_name, feature_name, project, environment)
        ${numbers} select ${text(`${prefix}{i}-strategy-${order}`)}, '${contextName}', 'flexibleRollout', ${name},
          '${project}', 'development' from n`,
    ),
  );
  const environments = ['development', 'production', ...more].map(
    (environment) => `insert into feature_environments (feature_name, environment, enabled, last_seen_at)
      ${numbers} select ${name}, '${environment}', ${environment === 'development' ? 1 : 0}, null from n`,
  );
  return [
    `insert into features (name, project, type, description, stale, impression_data, created_at, created_by_user_id, archived_at, last_seen_at)
      ${numbers} select ${name}, '${project}', 'release', ${text('What flag {i} is for, in a sentence')}, 0, 0, ${now}, 0, null, null from n`,
    ...environments,
    ...strategies,
    ...fields,
  ];
}

/** Adds a project with the environments that the product begins with. */
export async function seedProject(installation: Installation, id: string): Promise<void> {
  await installation.execute([
    `insert into projects (id, name, description, mode, default_stickiness, created_at, updated_at, archived_at)
      values ('${id}', '${id}', null, 'open', 'default', 0, 0, null)`,
    `insert into project_environments (project, environment) values ('${id}', 'development'), ('${id}', 'production')`,
  ]);
}
