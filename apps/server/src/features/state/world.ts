import type { Db } from '../../storage/tx.ts';
import { type ContextField, listContextFields } from '../context-fields/index.ts';
import { listEnvironments } from '../environments/index.ts';
import { type FlagRules, loadDefaults } from '../flags/index.ts';
import { environmentsOfProjects, listProjects, type Project } from '../projects/index.ts';
import { listSegments, type Segment } from '../segments/index.ts';
import { listStrategyTypes, type StrategyType } from '../strategy-types/index.ts';
import { listTagTypes, type TagType } from '../tags/index.ts';

/** All that wanted state is compared with, apart from flags. By name, or by id. */
export interface World {
  readonly makeDefault: FlagRules['makeDefault'];
  readonly projects: ReadonlyMap<string, Project>;
  readonly environmentsOf: ReadonlyMap<string, readonly string[]>;
  readonly environments: readonly { readonly name: string; readonly enabled: boolean }[];
  readonly definitions: ReadonlyMap<string, StrategyType>;
  readonly segments: ReadonlyMap<string, Segment>;
  readonly contextFields: ReadonlyMap<string, ContextField>;
  readonly tagTypes: ReadonlyMap<string, TagType>;
  /** What is left out because it is in projects that are hidden: how many of these there are, and which names are taken in them. */
  readonly unseen: {
    readonly projects: number;
    readonly segments: ReadonlySet<string>;
    readonly contextFields: ReadonlySet<string>;
  };
}

/** All but `hidden` projects and what belongs to them. Nine statements. */
export async function loadWorld(db: Db, hidden: ReadonlySet<string>): Promise<World> {
  const [inUse, archived, environmentsOf, environments, definitions, segments, contextFields, tagTypes, makeDefault] =
    await Promise.all([
      listProjects(db, false),
      listProjects(db, true),
      environmentsOfProjects(db),
      listEnvironments(db),
      listStrategyTypes(db),
      listSegments(db),
      listContextFields(db, { shared: true, project: '*' }),
      listTagTypes(db),
      loadDefaults(db),
    ]);
  const projects = [...inUse, ...archived];
  const isSeen = ({ project }: { readonly project: string | null }) => project === null || !hidden.has(project);
  const unseenNames = (things: readonly { readonly name: string; readonly project: string | null }[]) =>
    new Set(things.filter((one) => !isSeen(one)).map(({ name }) => name));
  return {
    makeDefault,
    projects: new Map(projects.filter(({ id }) => !hidden.has(id)).map((one) => [one.id, one])),
    environmentsOf,
    environments,
    definitions: byName(definitions),
    segments: byName(segments.filter(isSeen)),
    contextFields: byName(contextFields.filter(isSeen)),
    tagTypes: byName(tagTypes),
    unseen: {
      projects: projects.filter(({ id }) => hidden.has(id)).length,
      segments: unseenNames(segments),
      contextFields: unseenNames(contextFields),
    },
  };
}

function byName<T extends { readonly name: string }>(things: readonly T[]): ReadonlyMap<string, T> {
  return new Map(things.map((one) => [one.name, one]));
}
