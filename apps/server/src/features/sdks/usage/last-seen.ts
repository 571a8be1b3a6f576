import { allProjects, holds, type TokenScope } from '#features/people/token-scopes/index.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { projectsOfFlags } from './known-flags.ts';

/** Flags that were evaluated in an environment, as reported with tokens of a scope. */
export interface ReportedFlags {
  readonly environment: string;
  readonly scope: TokenScope;
  readonly names: Iterable<string>;
}

/** Flags evaluated since the last write, by environment and scope, and the time of the last evaluation. */
export interface SeenFlags {
  at: number;
  readonly groups: Map<string, ReportedFlags & { readonly names: Set<string> }>;
}

/** Names of flags by environment. */
export type FlagsByEnvironment = ReadonlyMap<string, Iterable<string>>;

interface FlagsSeen {
  readonly at: number;
  readonly byEnvironment: FlagsByEnvironment;
}

export function noFlags(): SeenFlags {
  return { at: 0, groups: new Map() };
}

/**
 * Adds flags that were seen, up to `max` per environment and scope; further flags are skipped until they are seen
 * again.
 */
export function addSeenFlags(
  seen: SeenFlags,
  { environment, scope, names }: ReportedFlags,
  at: number,
  max: number,
): void {
  const key = `${environment}\0${scope.id}`;
  const known = seen.groups.get(key)?.names ?? new Set<string>();
  seen.groups.set(key, { environment, scope, names: known });
  for (const name of names) if (known.size < max) known.add(name);
  seen.at = Math.max(seen.at, at);
}

/** Returns the reported flags whose project the token of the report holds, by environment. */
export async function flagsInScope(db: Db, reports: Iterable<ReportedFlags>): Promise<Map<string, Set<string>>> {
  const groups = [...reports];
  const limited = groups.filter(({ scope }) => scope.id !== allProjects.id);
  const projects = await projectsOfFlags(db, [...new Set(limited.flatMap(({ names }) => [...names]))]);
  const found = new Map<string, Set<string>>();
  for (const { environment, scope, names } of groups) {
    const inScope = found.get(environment) ?? new Set();
    found.set(environment, inScope);
    for (const name of names) if (scope.id === allProjects.id || holds(scope, projects.get(name))) inScope.add(name);
  }
  return found;
}

const rowsPerStatement = 500;

/** Updates the last-seen times of flags, in total and in the environment. A later stored time stays. */
export async function saveSeenFlags(tx: Tx, { at, byEnvironment }: FlagsSeen): Promise<void> {
  for (const [environment, names] of byEnvironment) {
    const sorted = [...names].toSorted();
    for (let i = 0; i < sorted.length; i += rowsPerStatement) {
      const chunk = sorted.slice(i, i + rowsPerStatement);
      await tx.db
        .updateTable('features')
        .set({ last_seen_at: at })
        .where('name', 'in', chunk)
        .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', at)]))
        .execute();
      await tx.db
        .updateTable('feature_environments')
        .set({ last_seen_at: at })
        .where('environment', '=', environment)
        .where('feature_name', 'in', chunk)
        .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', at)]))
        .execute();
    }
  }
}

/** Returns the flags that were never seen in the environment, with one statement for each environment and 500 flags. */
export async function neverSeen(
  db: Db,
  byEnvironment: FlagsByEnvironment,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [environment, flags] of byEnvironment) {
    const names = [...flags];
    const unseen: string[] = [];
    for (let i = 0; i < names.length; i += rowsPerStatement) {
      const rows = await db
        .selectFrom('feature_environments')
        .select('feature_name')
        .where('environment', '=', environment)
        .where('feature_name', 'in', names.slice(i, i + rowsPerStatement))
        .where('last_seen_at', 'is', null)
        .orderBy('feature_name')
        .execute();
      unseen.push(...rows.map((row) => row.feature_name));
    }
    if (unseen.length > 0) found.set(environment, unseen);
  }
  return found;
}
