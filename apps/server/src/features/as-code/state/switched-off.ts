import type { DesiredFlag, FlagPlan } from '#features/flags/definitions/index.ts';
import { isoTime } from '#kernel/clock.ts';
import { chunksOf } from '#kernel/lists.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** The type of the event group of an applied state, which tells its events from those of people and automation. */
export const stateGroup = 'state';

/** A flag that was switched off by other means than a state, with the event of it. */
export interface SwitchedOff {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  readonly by: string;
  /** Milliseconds UTC. */
  readonly at: number;
  /** Why, as the author of the change said. */
  readonly reason: string | null;
  /** The id of the event. */
  readonly event: number;
}

type FlagInEnvironment = Pick<SwitchedOff, 'project' | 'featureName' | 'environment'>;

/** Returns where a plan switches existing flags on. */
export function switchedOnBy(plans: readonly FlagPlan[]): FlagInEnvironment[] {
  return plans.flatMap(({ before, after }) => {
    if (before === undefined) return [];
    const { name: featureName, project } = after.feature;
    const wasOn = (environment: string) =>
      before.feature.archivedAt === null && before.environments.get(environment)?.enabled === true;
    return [...after.environments]
      .filter(([environment, { enabled }]) => enabled && !wasOn(environment))
      .map(([environment]) => ({ project, featureName, environment }));
  });
}

/** Returns where a state says that flags are off. */
export function describedAsOff(flags: readonly DesiredFlag[]): FlagInEnvironment[] {
  return flags.flatMap(({ project, name: featureName, environments = new Map() }) =>
    [...environments]
      .filter(([, { enabled }]) => enabled === false)
      .map(([environment]) => ({ project, featureName, environment })),
  );
}

/**
 * Returns where the last change of whether a flag is on was a switch-off by other means than a state, after the event
 * `since`, and after the last state that described the flag as off there. Three statements for each thousand flags.
 */
export async function findSwitchedOff(
  db: Db,
  places: readonly FlagInEnvironment[],
  since: number,
): Promise<SwitchedOff[]> {
  const found: SwitchedOff[] = [];
  for (const [featureNames, own] of chunksByFlag(places)) {
    const [newest, agreed] = [await newestSwitches(db, featureNames), await agreedOffs(db, featureNames)];
    const offs = own.flatMap((place) => {
      const key = keyOf(place.featureName, place.environment);
      const last = lastSwitch(newest.get(place.featureName) ?? [], place.environment);
      if (last === undefined || !isOutsideOff(last)) return [];
      return last.id > Math.max(since, agreed.get(key) ?? 0) ? [{ place, last }] : [];
    });
    const events = await eventsOf(
      db,
      offs.map(({ last }) => last.id),
    );
    for (const { place, last } of offs) {
      const event = events.get(last.id);
      if (event !== undefined) found.push({ ...place, ...event });
    }
  }
  return found;
}

/** Stores that a state describes these flags as off, so that a later state may switch them on. */
export async function agreeToOffs(tx: Tx, offs: readonly SwitchedOff[]): Promise<void> {
  if (offs.length === 0) return;
  tx.allowNoEvents('agreed switches');
  // A later switch-off has a higher id.
  const newest = Math.max(...offs.map(({ event }) => event));
  for (const [environment, own] of Map.groupBy(offs, (off) => off.environment))
    for (const part of chunksOf(own.map(({ featureName }) => featureName)))
      await tx.db
        .updateTable('feature_environments')
        .set({ agreed_off_event: newest })
        .where('environment', '=', environment)
        .where('feature_name', 'in', part)
        .execute();
}

/** Returns who switched a flag off, when and why, as a sentence. */
export function describeSwitchedOff({ featureName, environment, by, at, reason }: SwitchedOff): string {
  const why = reason === null ? '' : `: ${reason}`;
  return `${featureName} was switched off in ${environment} by ${by} at ${isoTime(at)}${why}`;
}

/** The newest event of a type, in an environment or (null) in all, by states or by other means. */
interface Switch {
  readonly type: string;
  readonly environment: string | null;
  readonly byState: boolean;
  readonly id: number;
}

function isOutsideOff({ type, byState }: Switch): boolean {
  return !byState && type === 'feature-environment-disabled';
}

function lastSwitch(all: readonly Switch[], environment: string): Switch | undefined {
  return all
    .filter((each) => each.environment === null || each.environment === environment)
    .reduce<Switch | undefined>((last, each) => (last !== undefined && last.id > each.id ? last : each), undefined);
}

/** Events that decide whether a flag is on. A name that was deleted and created again is another flag. */
const switching = ['feature-created', 'feature-environment-enabled', 'feature-environment-disabled'] as const;

async function newestSwitches(
  db: Db,
  featureNames: readonly string[],
): Promise<ReadonlyMap<string, readonly Switch[]>> {
  const rows = await db
    .selectFrom('events')
    .where('feature_name', 'in', featureNames)
    .where('type', 'in', switching)
    .where('outcome', 'is', null)
    .groupBy(['feature_name', 'type', 'environment', 'group_type'])
    .select(['feature_name', 'type', 'environment', 'group_type'])
    .select(({ fn }) => fn.max('id').as('id'))
    .execute();
  const switches = rows.map(({ feature_name, group_type, ...row }) => ({
    featureName: feature_name ?? '',
    found: { ...row, byState: group_type === stateGroup },
  }));
  const byFlag = Map.groupBy(switches, ({ featureName }) => featureName);
  return new Map([...byFlag].map(([name, own]) => [name, own.map(({ found }) => found)]));
}

/** Returns for flags in environments the newest event of the log when a state last described them as off there. */
async function agreedOffs(db: Db, featureNames: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('feature_environments')
    .where('feature_name', 'in', featureNames)
    .where('agreed_off_event', 'is not', null)
    .select(['feature_name', 'environment', 'agreed_off_event'])
    .execute();
  return new Map(
    rows.map(({ feature_name, environment, agreed_off_event }) => [
      keyOf(feature_name, environment),
      agreed_off_event ?? 0,
    ]),
  );
}

async function eventsOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<SwitchedOff, 'event' | 'by' | 'at' | 'reason'>>> {
  const found = new Map<number, Pick<SwitchedOff, 'event' | 'by' | 'at' | 'reason'>>();
  for (const part of chunksOf([...new Set(ids)])) {
    const rows = await db
      .selectFrom('events')
      .where('id', 'in', part)
      .select(['id', 'created_by', 'created_at', 'reason'])
      .execute();
    for (const { id, created_by: by, created_at: at, reason } of rows) found.set(id, { event: id, by, at, reason });
  }
  return found;
}

function* chunksByFlag(
  places: readonly FlagInEnvironment[],
): Generator<readonly [readonly string[], readonly FlagInEnvironment[]]> {
  const byFlag = [...Map.groupBy(places, ({ featureName }) => featureName)];
  for (const part of chunksOf(byFlag)) yield [part.map(([name]) => name), part.flatMap(([, own]) => own)];
}

function keyOf(featureName: string, environment: string): string {
  return JSON.stringify([featureName, environment]);
}
