import type { unknownFlagRoutes } from '@yardarm/contract';
import { type Reader, readableBy } from '#features/people/token-scopes/index.ts';
import type { Handlers } from '#http/handler.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { type Condition, type Db, sql } from '#storage/tx.ts';
import { inUseBy } from './queries.ts';

/** An application that evaluates a flag which does not exist; `lastSeenAt` in milliseconds UTC. */
interface Sighting {
  readonly name: string;
  readonly appName: string;
  readonly environment: string;
  readonly lastSeenAt: number;
  readonly lastEventAt: number | null;
}

export function unknownFlagHandlers({ db }: Pick<Database, 'db'>): Handlers<typeof unknownFlagRoutes> {
  return {
    'GET /api/admin/metrics/unknown-flags': async ({ caller }) => ({
      status: 200,
      body: { unknownFlags: presentUnknown(await sightings(db, sql<boolean>`1 = 1`, caller)) },
    }),
  };
}

/**
 * Returns the unknown flags that an application evaluates, by environment and name, as reported with tokens of which
 * the caller sees a project.
 */
export async function missingFlagsOf(
  db: Db,
  appName: string,
  caller: Caller,
): Promise<{ environment: string; featureName: string }[]> {
  const seen = await sightings(db, sql<boolean>`a.app_name = ${appName}`, caller);
  const places = seen.map(({ environment, name }) => ({ environment, featureName: name }));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()].toSorted(
    (a, b) => inOrder(a.environment, b.environment) || inOrder(a.featureName, b.featureName),
  );
}

type Caller = Extract<Reader, { readonly hidden: unknown }>;

/**
 * Returns at most some thousand rows, because no more are stored. Leaves out flags that were created since in a project
 * of the token. A flag of another project stays unknown, so that the list does not tell which flags a project has.
 */
function sightings(db: Db, of: Condition, caller: Caller): Promise<Sighting[]> {
  const { hidden } = caller;
  const seen: Condition =
    hidden.size === 0 ? sql<boolean>`1 = 1` : sql<boolean>`e.project not in (${sql.join([...hidden])})`;
  return db
    .selectFrom('application_unknown_flags as n')
    .innerJoin('client_applications as a', 'a.app_name', 'n.app_name')
    .select(['n.feature_name as name', 'n.app_name as appName', 'n.environment', 'n.last_seen_at as lastSeenAt'])
    .select((eb) =>
      eb
        .selectFrom('events as e')
        .select('e.created_at')
        .whereRef('e.feature_name', '=', 'n.feature_name')
        .where(seen)
        .orderBy('e.id', 'desc')
        .limit(1)
        .as('lastEventAt'),
    )
    .where(
      sql<boolean>`not exists (select 1 from features as f where f.name = n.feature_name and (n.scope = '*'
        or exists (select 1 from token_scopes as s where s.scope = n.scope and s.project = f.project)))`,
    )
    .where(inUseBy(hidden))
    .where(readableBy(caller, 'n.scope'))
    .where(of)
    .execute();
}

/** Returns one sighting, the latest, of those that were reported with tokens of different projects. */
function withoutScopes(seen: readonly Sighting[]): Sighting[] {
  const oldestFirst = seen.toSorted((a, b) => a.lastSeenAt - b.lastSeenAt);
  const byPlace = oldestFirst.map((one) => [JSON.stringify([one.name, one.appName, one.environment]), one] as const);
  return [...new Map(byPlace).values()];
}

function presentUnknown(seen: readonly Sighting[]) {
  const latestFirst = withoutScopes(seen).toSorted(
    (a, b) =>
      b.lastSeenAt - a.lastSeenAt ||
      inOrder(a.name, b.name) ||
      inOrder(a.appName, b.appName) ||
      inOrder(a.environment, b.environment),
  );
  // Map.groupBy keeps the order, so the flag with the latest report comes first.
  return [...Map.groupBy(latestFirst, ({ name }) => name)].map(([name, some]) => ({
    name,
    lastSeenAt: isoTime(Math.max(...some.map(({ lastSeenAt }) => lastSeenAt))),
    lastEventAt: isoTimeOrNull(some[0]?.lastEventAt ?? null),
    reports: [...Map.groupBy(some, ({ appName }) => appName)].map(([appName, seenBy]) => ({
      appName,
      environments: seenBy.map(({ environment, lastSeenAt }) => ({ environment, seenAt: isoTime(lastSeenAt) })),
    })),
    applications: some.map(({ appName, environment, lastSeenAt }) => ({
      appName,
      environment,
      lastSeenAt: isoTime(lastSeenAt),
    })),
  }));
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
