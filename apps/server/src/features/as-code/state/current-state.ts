import { type ContextField, listContextFields } from '#features/flags/context-fields/index.ts';
import { loadDefaultStrategyFactory } from '#features/flags/default-strategies/index.ts';
import type { FlagRules } from '#features/flags/definitions/index.ts';
import { listSegments, type Segment } from '#features/flags/segments/index.ts';
import { listStrategyTypes, type StrategyType } from '#features/flags/strategy-types/index.ts';
import { listTagTypes, type TagType } from '#features/flags/tags/index.ts';
import { listEnvironments } from '#features/projects/environments/index.ts';
import { environmentsOfProjects, listProjects, type Project } from '#features/projects/projects/index.ts';
import type { Db } from '#storage/tx.ts';

/**
 * The current state, without flags, to compare a desired state with. The keys of the maps are names, or project ids.
 */
export interface CurrentState {
  readonly makeDefault: FlagRules['makeDefault'];
  readonly projects: ReadonlyMap<string, Project>;
  readonly environmentsOf: ReadonlyMap<string, readonly string[]>;
  readonly environments: readonly { readonly name: string; readonly enabled: boolean }[];
  readonly definitions: ReadonlyMap<string, StrategyType>;
  readonly segments: ReadonlyMap<string, Segment>;
  readonly contextFields: ReadonlyMap<string, ContextField>;
  readonly tagTypes: ReadonlyMap<string, TagType>;
  /** The number of hidden projects, and the names of their segments and context fields, which new ones cannot have. */
  readonly hiddenEntities: {
    readonly projects: number;
    readonly segments: ReadonlySet<string>;
    readonly contextFields: ReadonlySet<string>;
  };
}

/** Loads the state without `hidden` projects and their entities, in nine statements. */
export async function loadCurrentState(db: Db, hidden: ReadonlySet<string>): Promise<CurrentState> {
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
      loadDefaultStrategyFactory(db),
    ]);
  const projects = [...inUse, ...archived];
  const isVisible = ({ project }: { readonly project: string | null }) => project === null || !hidden.has(project);
  const hiddenNames = (entities: readonly { readonly name: string; readonly project: string | null }[]) =>
    new Set(entities.filter((entity) => !isVisible(entity)).map(({ name }) => name));
  return {
    makeDefault,
    projects: new Map(projects.filter(({ id }) => !hidden.has(id)).map((project) => [project.id, project])),
    environmentsOf,
    environments,
    definitions: byName(definitions),
    segments: byName(segments.filter(isVisible)),
    contextFields: byName(contextFields.filter(isVisible)),
    tagTypes: byName(tagTypes),
    hiddenEntities: {
      projects: projects.filter(({ id }) => hidden.has(id)).length,
      segments: hiddenNames(segments),
      contextFields: hiddenNames(contextFields),
    },
  };
}

function byName<T extends { readonly name: string }>(entities: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entities.map((entity) => [entity.name, entity]));
}
