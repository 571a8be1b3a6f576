import { reservedInPlan } from '../../kernel/tellable.ts';
import type { Tx } from '../../storage/tx.ts';
import {
  type ContextField,
  checkLegalValuesOf,
  createContextField,
  updateContextField,
} from '../context-fields/index.ts';
import { type Fault, noting } from '../flags/index.ts';
import {
  checkSegmentConstraints,
  createSegment,
  type Segment,
  segmentChangeCheck,
  updateSegment,
} from '../segments/index.ts';
import {
  createStrategyType,
  newStrategyType,
  type StrategyType,
  type StrategyTypeInput,
} from '../strategy-types/index.ts';
import { createTagType, updateTagType } from '../tags/index.ts';
import { fieldChanges, type StateChange } from './changes.ts';
import type { PlanOptions, StateFault } from './options.ts';
import type { WantedContextField, WantedSegment, WantedTagType } from './wanted-state.ts';
import type { World } from './world.ts';

/** A change that is not one of a flag: what it is, and how it is made. */
export interface Operation {
  readonly change: StateChange;
  run(tx: Tx): Promise<void>;
}

/** Those that there are afterwards, by name. */
type Projects = ReadonlyMap<string, unknown>;

/** What is found when wanted things are compared with those there are. */
export interface Compared<T> {
  readonly operations: readonly Operation[];
  /** How they are afterwards. */
  readonly after: ReadonlyMap<string, T>;
}

export function compareTagTypes(
  world: World,
  wanted: readonly WantedTagType[],
  { kept }: Pick<PlanOptions, 'kept'>,
): Compared<{ readonly name: string }> {
  const after = new Map<string, { readonly name: string }>(world.tagTypes);
  const operations = wanted.flatMap((one): Operation[] => {
    const { name, ...values } = one;
    const old = world.tagTypes.get(name);
    after.set(name, old ?? one);
    if (old === undefined) {
      const change = changeOf('tag-type-created', 'tag-type', name, null, undefined, values);
      return [{ change, run: async (tx) => void (await createTagType(tx, one)) }];
    }
    const change = changeOf('tag-type-updated', 'tag-type', name, null, old, { ...old, ...defined(values) });
    return kept || change.fields.length === 0 ? [] : [{ change, run: (tx) => updateTagType(tx, name, values) }];
  });
  return { operations, after };
}

/** Custom strategies: those that are missing are created, whatever they are for. */
export function compareStrategies(
  world: World,
  wanted: readonly StrategyTypeInput[],
  { limits }: Pick<PlanOptions, 'limits'>,
  faults: StateFault[],
): Compared<StrategyType> {
  const after = new Map(world.definitions);
  const operations = wanted.flatMap((one): Operation[] => {
    const { name, ...values } = one;
    if (after.has(name)) return [];
    after.set(name, newStrategyType(one));
    if (limits.strategies.noCreation) {
      faults.push({ kind: 'strategy', name, path: '', message: 'custom strategies cannot be created here' });
    }
    const change = changeOf('strategy-created', 'strategy', name, null, undefined, values);
    return [{ change, run: async (tx) => void (await createStrategyType(tx, limits.strategies, one)) }];
  });
  return { operations, after };
}

export function compareContextFields(
  world: World,
  wanted: readonly WantedContextField[],
  { kept }: Pick<PlanOptions, 'kept'>,
  projects: Projects,
  faults: StateFault[],
): Compared<ContextField> {
  const after = new Map(world.contextFields);
  const operations = wanted.flatMap((one): Operation[] => {
    const { name, project = null, ...values } = one;
    const old = world.contextFields.get(name);
    if (old === undefined) {
      if (world.unseen.contextFields.has(name)) {
        faults.push({ kind: 'context-field', name, path: '', message: reservedInPlan(name) });
        return [];
      }
      const isKnown = requireKnown(projects, project, { kind: 'context-field', name }, faults);
      after.set(name, {
        name,
        project,
        description: values.description ?? null,
        stickiness: values.stickiness ?? false,
        sortOrder: values.sortOrder ?? 0,
        legalValues: values.legalValues ?? [],
        createdAt: null,
      });
      if (!isKnown) return [];
      const change = changeOf('context-field-created', 'context-field', name, project, undefined, values);
      return [{ change, run: async (tx) => void (await createContextField(tx, name, values, project)) }];
    }
    if (kept) return [];
    if (one.project !== undefined && one.project !== old.project) {
      faults.push({ kind: 'context-field', name, path: 'project', message: 'must stay what it is' });
      return [];
    }
    const changed: ContextField = { ...old, ...defined(values) };
    after.set(name, changed);
    const change = changeOf('context-field-updated', 'context-field', name, old.project, old, changed);
    return change.fields.length === 0 ? [] : [{ change, run: (tx) => updateContextField(tx, { name }, values) }];
  });
  return { operations, after };
}

/** Segments that are created get ids below zero until they are there. */
export function compareSegments(
  world: World,
  wanted: readonly WantedSegment[],
  fields: ReadonlyMap<string, ContextField>,
  { kept, limits, caller }: Pick<PlanOptions, 'kept' | 'limits' | 'caller'>,
  projects: Projects,
  faults: StateFault[],
): Compared<{ readonly id: number; readonly project: string | null }> {
  const after = new Map<string, { readonly id: number; readonly project: string | null }>(world.segments);
  let created = 0;
  const operations = wanted.flatMap((one): Operation[] => {
    const { name } = one;
    const old = world.segments.get(name);
    if (old === undefined && one.constraints === undefined) return [];
    if (world.unseen.segments.has(name)) {
      faults.push({ kind: 'segment', name, path: '', message: reservedInPlan(name) });
      return [];
    }
    const input = {
      name,
      description: one.description === undefined ? (old?.description ?? null) : one.description,
      project: one.project === undefined ? (old?.project ?? null) : one.project,
      constraints: one.constraints ?? old?.constraints ?? [],
    };
    after.set(name, { id: old?.id ?? -++created, project: kept && old !== undefined ? old.project : input.project });
    if (kept && old !== undefined) return [];
    const isKnown = requireKnown(projects, input.project, { kind: 'segment', name }, faults);
    const inner: Fault[] = [];
    noting(inner, '', () => {
      checkSegmentConstraints(input.constraints, limits.segments);
      checkLegalValuesOf(fields, input.project, input.constraints, old?.constraints);
    });
    faults.push(...inner.map((fault) => ({ kind: 'segment' as const, name, ...fault })));
    if (!isKnown) return [];
    if (old === undefined) {
      const change = changeOf('segment-created', 'segment', name, input.project, undefined, input);
      return [{ change, run: async (tx) => void (await createSegment(tx, limits.segments, input)) }];
    }
    const change = changeOf('segment-updated', 'segment', name, input.project, spoken(old), input);
    const mayChange = segmentChangeCheck(caller, 'UPDATE_SEGMENT');
    const run = (tx: Tx) => updateSegment(tx, limits.segments, old.id, input, mayChange);
    return change.fields.length === 0 ? [] : [{ change, run }];
  });
  if (world.segments.size + world.unseen.segments.size + created > limits.segments.segments) {
    const message = `the limit of ${limits.segments.segments} segments would be passed`;
    faults.push({ kind: 'segment', name: '', path: '', message });
  }
  return { operations, after };
}

/**
 * Whether a thing is to be of all projects, or of one that there is; else that is noted. No change is made of it then: what that
 * one would need could tell a hidden project from none.
 */
function requireKnown(
  projects: Projects,
  project: string | null,
  of: Pick<StateFault, 'kind' | 'name'>,
  faults: StateFault[],
): boolean {
  if (project === null || projects.has(project)) return true;
  faults.push({ ...of, path: 'project', message: `there is no project ${project}` });
  return false;
}

/** Returns the change that creates something which belongs to no project. */
export function planned(
  type: StateChange['type'],
  kind: StateChange['kind'],
  name: string,
  after: object,
): Pick<Operation, 'change'> {
  return { change: changeOf(type, kind, name, null, undefined, after) };
}

export function changeOf(
  type: StateChange['type'],
  kind: StateChange['kind'],
  name: string,
  project: string | null,
  before: object | undefined,
  after: object | undefined,
): StateChange {
  const fields = fieldChanges(before, after).filter(({ field }) => field !== 'name' || kind === 'project');
  return { type, kind, name, project, environment: null, item: null, fields };
}

function spoken({ name, description, project, constraints }: Segment) {
  return { name, description, project, constraints };
}

/** What is said: a key that is undefined says nothing. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
