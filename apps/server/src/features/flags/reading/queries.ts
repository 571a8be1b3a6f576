import { openChangeRequestStates } from '@yardarm/contract';
import type { Actor } from '../../../kernel/actor.ts';
import { compiled, type Value } from '../../../storage/compiled.ts';
import { type Db, sql } from '../../../storage/tx.ts';
import { type Dependency, dependenciesOf } from '../dependencies/index.ts';
import {
  type Feature,
  type FeatureRef,
  type FeatureRow,
  type FeatureTag,
  featureNotFound,
  listTags,
  tagsByFeature,
  toFeature,
} from '../feature/index.ts';
import { type Hold, holdColumns, toHold } from '../holds/index.ts';
import { type Link, listLinks } from '../links/index.ts';
import { listStrategies, type Strategy } from '../strategies/index.ts';
import { type FlagVariant, variantsByEnvironment } from '../variants/index.ts';

/** A flag with all that belongs to it. */
export interface FeatureView {
  readonly feature: Feature;
  readonly creatorName: string | null;
  /** Whether it is one of the favorites of whoever asks. */
  readonly favorite: boolean;
  readonly tags: readonly FeatureTag[];
  readonly environments: readonly FeatureEnvironmentView[];
  /** Absent where many flags are read. */
  readonly links?: readonly Link[];
  /** What it depends on, and the flags that depend on it; absent where many flags are read. */
  readonly dependencies?: { readonly parents: readonly Dependency[]; readonly children: readonly Dependency[] };
  /** People and tokens that changed it; absent where many flags are read. */
  readonly collaborators?: readonly Creator[];
}

/** The state of a flag in an environment. */
export interface FeatureEnvironmentView {
  readonly featureName: string;
  readonly environment: string;
  readonly type: string;
  readonly sortOrder: number;
  readonly enabled: boolean;
  readonly lastSeenAt: number | null;
  readonly strategyCount: number;
  readonly activeStrategyCount: number;
  /** Variants of the flag itself, apart from those of strategies. */
  readonly variantCount: number;
  /** Evaluations in the hour of `lastSeenAt`. */
  readonly yes: number;
  readonly no: number;
  /** What holds it in another state than the configured one; null when nothing does. */
  readonly hold: Hold | null;
  /** Absent where many flags are read. */
  readonly strategies?: readonly Strategy[];
  /** Variants of the flag itself; absent where many flags are read. */
  readonly variants?: readonly FlagVariant[];
  /** Open change requests that would change the flag, but for drafts of others; absent in lists of a project. */
  readonly changeRequestIds?: readonly number[];
}

/** Flags of one page: what belongs to them is read by name, and this many names one statement takes. */
const pageSize = 250;

/**
 * Flags of a project that are not archived, by name and as `userId` sees them. They come in pages, so that a project
 * of thousands needs the memory of one page and holds nobody else up. Three statements a page.
 */
export async function* pagesOfFeatures(db: Db, project: string, userId: number): AsyncGenerator<FeatureView[]> {
  for (let after = ''; ; ) {
    const rows = await selectFeatures(db, userId)
      .where('f.project', '=', project)
      .where('f.name', '>', after)
      .where('f.archived_at', 'is', null)
      .orderBy('f.name')
      .limit(pageSize)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await withWhatBelongsTo(db, rows);
    if (rows.length < pageSize) return;
    after = last.name;
  }
}

/**
 * The flags of these names, archived or not, with their change requests, in their order and in pages as in
 * {@link pagesOfFeatures}. Four statements a page.
 */
export async function* pagesOfNamed(db: Db, names: readonly string[], caller: Actor): AsyncGenerator<FeatureView[]> {
  const { userId, name: userName } = caller;
  for (let at = 0; at < names.length; at += pageSize) {
    const page = names.slice(at, at + pageSize);
    const rows = await selectFeatures(db, userId).where('f.name', 'in', page).execute();
    const [whole, requests] = await Promise.all([
      withWhatBelongsTo(db, rows),
      openRequests(db, { names: page, userId, userName }).execute(),
    ]);
    const requestsOf = Map.groupBy(requests, (one) => placeKey(one.feature_name ?? '', one.environment));
    const withRequests = (one: FeatureEnvironmentView): FeatureEnvironmentView => ({
      ...one,
      changeRequestIds: (requestsOf.get(placeKey(one.featureName, one.environment)) ?? []).map(({ id }) => id),
    });
    const views = new Map(
      whole.map((view) => [view.feature.name, { ...view, environments: view.environments.map(withRequests) }]),
    );
    yield page.flatMap((name) => views.get(name) ?? []);
  }
}

function placeKey(featureName: string, environment: string): string {
  return `${featureName}/${environment}`;
}

async function withWhatBelongsTo(db: Db, rows: readonly ViewRow[]): Promise<FeatureView[]> {
  if (rows.length === 0) return [];
  const names = rows.map(({ name }) => name);
  const [environments, tags] = await Promise.all([selectEnvironments(db, names).execute(), tagsByFeature(db, names)]);
  const environmentsOf = Map.groupBy(environments.map(toEnvironmentView), (one) => one.featureName);
  return rows.map((row) => ({
    ...toView(row),
    tags: tags.get(row.name) ?? [],
    environments: environmentsOf.get(row.name) ?? [],
  }));
}

/** Who created flags, of a project or of all, archived ones included; the name is null of one who has no account. */
export interface Creator {
  readonly id: number;
  readonly name: string | null;
}

export async function listCreators(db: Db, project?: string): Promise<Creator[]> {
  let creators = db.selectFrom('features').select('created_by_user_id as id').distinct();
  if (project !== undefined) creators = creators.where('project', '=', project);
  const rows = await db
    .selectFrom(creators.as('c'))
    .leftJoin('users as u', 'u.id', 'c.id')
    .select(['c.id', 'u.name', 'u.username', 'u.email'])
    .orderBy('c.id')
    .execute();
  return rows.map(({ id, name, username, email }) => ({ id, name: name ?? username ?? email }));
}

/**
 * A flag, archived or not, with the strategies it has in each environment, as `caller` sees it; a 404 when it is not in the
 * project.
 */
export async function getFeature(db: Db, { project, featureName }: FeatureRef, caller: Actor): Promise<FeatureView> {
  const { userId, name: userName } = caller;
  const [row, environments, strategies, tags, dependencies, links, variants, requests, authors] = await Promise.all([
    selectFeature(db, { names: [featureName], userId }).then(([found]) => found),
    selectEnvironmentsOf(db, { names: [featureName] }),
    listStrategies(db, [featureName]),
    listTags(db, featureName),
    dependenciesOf(db, [featureName]),
    listLinks(db, featureName),
    variantsByEnvironment(db, featureName),
    selectOpenRequests(db, { names: [featureName], userId, userName }),
    selectAuthors(db, { featureName }),
  ]);
  if (row?.project !== project) throw featureNotFound(project, [featureName]);
  const strategiesOf = Map.groupBy(strategies, (one) => one.environment);
  const requestsOf = Map.groupBy(requests, (one) => one.environment);
  return {
    ...toView(row),
    tags,
    dependencies,
    links,
    collaborators: authors.flatMap(({ id, name }) => (id === null ? [] : [{ id, name }])),
    environments: environments.map((one) => ({
      ...toEnvironmentView(one),
      strategies: strategiesOf.get(one.environment) ?? [],
      variants: variants.get(one.environment) ?? [],
      changeRequestIds: (requestsOf.get(one.environment) ?? []).map(({ id }) => id),
    })),
  };
}

const selectFeature = compiled<{ names: readonly string[]; userId: number }>().query(
  (db, { names, userId }) => selectFeatures(db, userId).where('f.name', 'in', names),
  { names: 'names', column: 'name' },
);

const selectEnvironmentsOf = compiled<{ names: readonly string[] }>().query(
  (db, { names }) => selectEnvironments(db, names),
  { names: 'names', column: 'feature_name' },
);

const selectOpenRequests = compiled<{ names: readonly string[]; userId: number; userName: string }>().query(
  openRequests,
  { names: 'names', column: 'feature_name' },
);

/** Selects the open change requests of projects that have these flags; of drafts those of the caller alone. */
function openRequests(
  db: Db,
  {
    names,
    userId,
    userName,
  }: {
    readonly names: readonly string[] | readonly Value<string>[];
    readonly userId: number | Value<number>;
    readonly userName: string | Value<string>;
  },
) {
  return db
    .selectFrom('change_request_changes as c')
    .innerJoin('change_requests as r', 'r.id', 'c.request_id')
    .innerJoin('features as f', (join) =>
      join.onRef('f.name', '=', 'c.feature_name').onRef('f.project', '=', 'r.project'),
    )
    .select(['c.feature_name', 'r.id', 'r.environment'])
    .distinct()
    .where('c.feature_name', 'in', names)
    .where('r.state', 'in', openChangeRequestStates)
    .where((eb) =>
      eb.or([
        eb('r.state', '<>', 'Draft'),
        eb.and([eb('r.created_by_user_id', '=', userId), eb('r.created_by', '=', userName)]),
      ]),
    )
    .orderBy('r.id');
}

/** Events of a flag that are looked at for who changed it: the newest. */
const authorsOf = 100;

const selectAuthors = compiled<{ featureName: string }>().query((db, { featureName }) =>
  db
    .selectFrom(
      db
        .selectFrom('events')
        .select(['created_by_user_id', 'created_by'])
        .where('feature_name', '=', featureName)
        .orderBy('id', 'desc')
        .limit(authorsOf)
        .as('e'),
    )
    .leftJoin('users as u', 'u.id', 'e.created_by_user_id')
    .select((eb) => [
      'e.created_by_user_id as id',
      eb.fn.coalesce('u.name', 'u.username', 'u.email', eb.fn.max('e.created_by')).as('name'),
    ])
    .groupBy(['e.created_by_user_id', 'u.name', 'u.username', 'u.email'])
    .orderBy('e.created_by_user_id'),
);

function selectFeatures(db: Db, userId: number | Value<number>) {
  return db
    .selectFrom('features as f')
    .leftJoin('users as u', 'u.id', 'f.created_by_user_id')
    .leftJoin('favorite_features as v', (join) =>
      join.onRef('v.feature_name', '=', 'f.name').on('v.user_id', '=', userId),
    )
    .select([
      'f.name',
      'f.project',
      'f.type',
      'f.description',
      'f.stale',
      'f.impression_data',
      'f.created_at',
      'f.created_by_user_id',
      'f.archived_at',
      'f.last_seen_at',
      'f.pre_live_at',
      'f.live_at',
      'f.completed_at',
      'f.completed_status',
      'f.completed_value',
      'u.name as user_name',
      'u.username',
      'u.email',
      'v.user_id as favorite_of',
    ]);
}

function selectEnvironments(db: Db, names: readonly string[] | readonly Value<string>[]) {
  // Counted by themselves: to group everything that is told would have to be sorted by it first.
  const counted = db
    .selectFrom('feature_strategies')
    .where('feature_name', 'in', names)
    .select((eb) => [
      'feature_name',
      'environment',
      eb.fn.countAll<number>().as('strategies'),
      sql<number>`count(case when disabled = 0 then 1 end)`.as('active_strategies'),
    ])
    .groupBy(['feature_name', 'environment'])
    .as('s');
  return db
    .selectFrom('feature_environments as e')
    .innerJoin('environments as n', 'n.name', 'e.environment')
    .leftJoin(counted, (join) =>
      join.onRef('s.feature_name', '=', 'e.feature_name').onRef('s.environment', '=', 'e.environment'),
    )
    .leftJoin('feature_leases as l', 'l.id', 'e.lease_id')
    .leftJoin('feature_variants as v', (join) =>
      join.onRef('v.feature_name', '=', 'e.feature_name').onRef('v.environment', '=', 'e.environment'),
    )
    .where('e.feature_name', 'in', names)
    .select([evaluatedLast('yes').as('yes'), evaluatedLast('no').as('no')])
    .select([
      ...holdColumns,
      'v.variants',
      'e.feature_name',
      'e.environment',
      'e.enabled',
      'e.last_seen_at',
      'n.type',
      'n.sort_order',
      's.strategies',
      's.active_strategies',
    ])
    .orderBy('n.sort_order')
    .orderBy('e.environment');
}

/** Counts what a flag was evaluated to in an environment, in the hour in which it was evaluated last. */
function evaluatedLast(outcome: 'yes' | 'no') {
  return sql<number>`(select cast(coalesce(sum(${sql.ref(`m.${outcome}`)}), 0) as bigint) from client_metrics as m
    where m.feature_name = e.feature_name and m.environment = e.environment
      and m.hour = e.last_seen_at - e.last_seen_at % ${sql.lit(hourMs)})`;
}

const hourMs = 60 * 60 * 1000;

type ViewRow = FeatureRow & {
  user_name: string | null;
  username: string | null;
  email: string | null;
  favorite_of: number | null;
};

function toView(row: ViewRow): Pick<FeatureView, 'feature' | 'creatorName' | 'favorite'> {
  const creatorName = row.user_name ?? row.username ?? row.email;
  return { feature: toFeature(row), creatorName, favorite: row.favorite_of !== null };
}

function toEnvironmentView(
  row: Awaited<ReturnType<ReturnType<typeof selectEnvironments>['execute']>>[number],
): FeatureEnvironmentView {
  return {
    featureName: row.feature_name,
    environment: row.environment,
    type: row.type,
    sortOrder: row.sort_order,
    enabled: row.enabled === 1,
    lastSeenAt: row.last_seen_at,
    strategyCount: row.strategies ?? 0,
    activeStrategyCount: row.active_strategies ?? 0,
    variantCount: row.variants === null ? 0 : (JSON.parse(row.variants) as readonly unknown[]).length,
    yes: row.yes,
    no: row.no,
    hold: toHold(row),
  };
}
