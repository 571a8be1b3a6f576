import { openChangeRequestStates, type ReleasePlan } from '@yardarm/contract';
import { type Dependency, dependenciesOf } from '#features/flags/dependencies/index.ts';
import {
  type Feature,
  type FeatureRef,
  type FeatureRow,
  type FeatureTag,
  featureColumns,
  featureNotFound,
  listTags,
  tagsByFeature,
  toFeature,
} from '#features/flags/feature/index.ts';
import { type Hold, holdColumns, toHold } from '#features/flags/held-state/index.ts';
import { type Link, listLinks } from '#features/flags/links/index.ts';
import { listStrategies, type Strategy } from '#features/flags/strategies/index.ts';
import { type FlagVariant, flagVariantsColumn, variantsByEnvironment } from '#features/flags/variants/index.ts';
import type { Actor } from '#kernel/actor.ts';
import { chunksOf } from '#kernel/lists.ts';
import { prepared, type Value } from '#storage/prepared-query.ts';
import { type Db, sql } from '#storage/tx.ts';
import { type ActiveMilestone, toMilestone } from './active-milestone.ts';

/** A flag as the admin API shows it. */
export interface FeatureView {
  readonly feature: Feature;
  readonly creatorName: string | null;
  /** True when the flag is a favorite of the caller. */
  readonly favorite: boolean;
  readonly tags: readonly FeatureTag[];
  readonly environments: readonly FeatureEnvironmentView[];
  /** Absent in lists. */
  readonly links?: readonly Link[];
  /** Dependencies with this flag as child and as parent; absent in lists. */
  readonly dependencies?: { readonly parents: readonly Dependency[]; readonly children: readonly Dependency[] };
  /** The accounts and tokens that changed the flag; absent in lists. */
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
  /** The number of the flag's own variants, without those of strategies. */
  readonly variantCount: number;
  /** The evaluations with the results on (`yes`) and off (`no`) in the hour of `lastSeenAt`. */
  readonly yes: number;
  readonly no: number;
  /** The hold in force; null when the flag is in its configured state. */
  readonly hold: Hold | null;
  /** Absent in lists. */
  readonly strategies?: readonly Strategy[];
  /** The milestone of the release plan; null without a plan. */
  readonly milestone: ActiveMilestone | null;
  /** Absent in lists. */
  readonly releasePlans?: readonly ReleasePlan[];
  /** The flag's own variants; absent in lists. */
  readonly variants?: readonly FlagVariant[];
  /** Open change requests that would change the flag, without drafts of other users; absent in lists of a project. */
  readonly changeRequestIds?: readonly number[];
}

/** Returns the release plans of flags in any environment. */
export type PlanReader = (db: Db, featureNames: readonly string[]) => Promise<readonly ReleasePlan[]>;

/** The number of flags in a page. Related rows are read by flag name, so this bounds the names in a statement too. */
const pageSize = 250;

/**
 * Yields the project's active flags by name, as `userId` sees them, in pages: memory is bounded by one page, and other
 * requests run between pages. Three statements for each page.
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
    yield await withRelatedRows(db, rows);
    if (rows.length < pageSize) return;
    after = last.name;
  }
}

/**
 * Yields the named flags, archived or not, with their change requests, in the order of the names and in pages like
 * {@link pagesOfFeatures}. Four statements for each page.
 */
export async function* pagesOfNamed(db: Db, names: readonly string[], caller: Actor): AsyncGenerator<FeatureView[]> {
  const { userId, name: userName } = caller;
  for (const page of chunksOf(names, pageSize)) {
    const rows = await selectFeatures(db, userId).where('f.name', 'in', page).execute();
    const [whole, requests] = await Promise.all([
      withRelatedRows(db, rows),
      openChangeRequests(db, { names: page, userId, userName }).execute(),
    ]);
    const requestsOf = Map.groupBy(requests, (request) => placeKey(request.feature_name ?? '', request.environment));
    const withRequests = (state: FeatureEnvironmentView): FeatureEnvironmentView => ({
      ...state,
      changeRequestIds: (requestsOf.get(placeKey(state.featureName, state.environment)) ?? []).map(({ id }) => id),
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

async function withRelatedRows(db: Db, rows: readonly ViewRow[]): Promise<FeatureView[]> {
  if (rows.length === 0) return [];
  const names = rows.map(({ name }) => name);
  const [environments, tags] = await Promise.all([selectEnvironments(db, names).execute(), tagsByFeature(db, names)]);
  const environmentsOf = Map.groupBy(environments.map(toEnvironmentView), (state) => state.featureName);
  return rows.map((row) => ({
    ...toView(row),
    tags: tags.get(row.name) ?? [],
    environments: environmentsOf.get(row.name) ?? [],
  }));
}

/** An account that created flags; the name is null for authors without an account. */
export interface Creator {
  readonly id: number;
  readonly name: string | null;
}

/** Returns the accounts that created flags of a project, or of all projects that are not `hidden`. */
export async function listCreators(
  db: Db,
  of: { readonly project: string } | { readonly hidden: ReadonlySet<string> },
): Promise<Creator[]> {
  let creators = db.selectFrom('features').select('created_by_user_id as id').distinct();
  if ('project' in of) creators = creators.where('project', '=', of.project);
  else if (of.hidden.size > 0) creators = creators.where('project', 'not in', [...of.hidden]);
  const rows = await db
    .selectFrom(creators.as('c'))
    .leftJoin('users as u', 'u.id', 'c.id')
    .select(['c.id', 'u.name', 'u.username', 'u.email'])
    .orderBy('c.id')
    .execute();
  return rows.map(({ id, name, username, email }) => ({ id, name: name ?? username ?? email }));
}

/**
 * Returns a flag, archived or not, with all related rows, as `caller` sees it. Rejects with 404 when the project does
 * not have it.
 */
export async function getFeature(
  db: Db,
  { project, featureName }: FeatureRef,
  caller: Actor,
  readPlans: PlanReader,
): Promise<FeatureView> {
  const { userId, name: userName } = caller;
  const [row, environments, strategies, tags, dependencies, links, variants, requests, authors, plans] =
    await Promise.all([
      selectFeature(db, { names: [featureName], userId }).then(([found]) => found),
      selectEnvironmentsOf(db, { names: [featureName] }),
      listStrategies(db, [featureName]),
      listTags(db, featureName),
      dependenciesOf(db, [featureName]),
      listLinks(db, [featureName]),
      variantsByEnvironment(db, featureName),
      selectOpenRequests(db, { names: [featureName], userId, userName }),
      selectAuthors(db, { featureName }),
      readPlans(db, [featureName]),
    ]);
  if (row?.project !== project) throw featureNotFound(project, [featureName]);
  const strategiesOf = Map.groupBy(strategies, (strategy) => strategy.environment);
  const requestsOf = Map.groupBy(requests, (request) => request.environment);
  return {
    ...toView(row),
    tags,
    dependencies,
    links,
    collaborators: authors.flatMap(({ id, name }) => (id === null ? [] : [{ id, name }])),
    environments: environments.map((state) => ({
      ...toEnvironmentView(state),
      strategies: strategiesOf.get(state.environment) ?? [],
      variants: variants.get(state.environment) ?? [],
      releasePlans: plans.filter(({ environment }) => environment === state.environment),
      changeRequestIds: (requestsOf.get(state.environment) ?? []).map(({ id }) => id),
    })),
  };
}

const selectFeature = prepared<{ names: readonly string[]; userId: number }>().query((db, { names, userId }) =>
  selectFeatures(db, userId).where('f.name', 'in', names),
);

const selectEnvironmentsOf = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  selectEnvironments(db, names),
);

const selectOpenRequests = prepared<{ names: readonly string[]; userId: number; userName: string }>().query(
  openChangeRequests,
);

/** Selects the open change requests that change these flags; of drafts only those of the caller. */
function openChangeRequests(
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
        // An account keeps its drafts when its name changes. Tokens share one user id and differ by name.
        eb.and([
          eb('r.created_by_user_id', '=', userId),
          eb.or([eb('r.created_by_user_id', '>', 0), eb('r.created_by', '=', userName)]),
        ]),
      ]),
    )
    .orderBy('r.id');
}

/** How many of the newest events of a flag are searched for the accounts that changed the flag. */
const authorsOf = 100;

const selectAuthors = prepared<{ featureName: string }>().query((db, { featureName }) =>
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
      ...featureColumns.map((column) => `f.${column}` as const),
      'u.name as user_name',
      'u.username',
      'u.email',
      'v.user_id as favorite_of',
    ]);
}

function selectEnvironments(db: Db, names: readonly string[] | readonly Value<string>[]) {
  // Count in a subquery: grouping the whole result would sort all its columns first.
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
    .leftJoin('release_plans as p', (join) =>
      join
        .onRef('p.feature_name', '=', 'e.feature_name')
        .onRef('p.environment', '=', 'e.environment')
        .on('p.shadow', '=', 0),
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
      'p.milestones',
      'p.active_milestone_id',
    ])
    .orderBy('n.sort_order')
    .orderBy('e.environment');
}

/** Sums the evaluations of a flag in an environment in the hour of its last evaluation. */
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
    variantCount:
      row.variants === null
        ? 0
        : flagVariantsColumn.parse(row.variants, `${row.feature_name} in ${row.environment}`).length,
    yes: row.yes,
    no: row.no,
    hold: toHold(row),
    milestone: toMilestone(row),
  };
}
