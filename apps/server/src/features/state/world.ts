import type { Db } from '../../storage/tx.ts';
import { type ContextField, listContextFields } from '../context-fields/index.ts';
import { listEnvironments } from '../environments/index.ts';
import { type FlagRules, loadDefaults } from '../flags/index.ts';
import { environmentsOfProjects, listProjects, type Project } from '../projects/index.ts';
import { listSegments, type Segment } from '../segments/index.ts';
import { listDefinitions, type StrategyDefinition } from '../strategies/index.ts';
import { listTagTypes, type TagType } from '../tags/index.ts';

/** All that wanted state is compared with, apart from flags. By name, or by id. */
export interface World {
  readonly makeDefault: FlagRules['makeDefault'];
  readonly projects: ReadonlyMap<string, Project>;
  readonly environmentsOf: ReadonlyMap<string, readonly string[]>;
  readonly environments: readonly { readonly name: string; readonly enabled: boolean }[];
  readonly definitions: ReadonlyMap<string, StrategyDefinition>;
  readonly segments: ReadonlyMap<string, Segment>;
  readonly contextFields: ReadonlyMap<string, ContextField>;
  readonly tagTypes: ReadonlyMap<string, TagType>;
}

/** Nine statements. */
export async function loadWorld(db: Db): Promise<World> {
  const [inUse, archived, environmentsOf, environments, definitions, segments, contextFields, tagTypes, makeDefault] =
    await Promise.all([
      listProjects(db, false),
      listProjects(db, true),
      environmentsOfProjects(db),
      listEnvironments(db),
      listDefinitions(db),
      listSegments(db),
      listContextFields(db, { ofAll: true, project: '*' }),
      listTagTypes(db),
      loadDefaults(db),
    ]);
  return {
    makeDefault,
    projects: new Map([...inUse, ...archived].map((one) => [one.id, one])),
    environmentsOf,
    environments,
    definitions: byName(definitions),
    segments: byName(segments),
    contextFields: byName(contextFields),
    tagTypes: byName(tagTypes),
  };
}

function byName<T extends { readonly name: string }>(things: readonly T[]): ReadonlyMap<string, T> {
  return new Map(things.map((one) => [one.name, one]));
}
