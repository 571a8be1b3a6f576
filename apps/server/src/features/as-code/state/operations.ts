import {
  type ContextField,
  checkLegalValuesOf,
  createContextField,
  updateContextField,
} from '#features/flags/context-fields/index.ts';
import { collectFaults, type Fault } from '#features/flags/definitions/index.ts';
import {
  checkSegmentConstraints,
  createSegment,
  type Segment,
  segmentChangeCheck,
  updateSegment,
} from '#features/flags/segments/index.ts';
import {
  createStrategyType,
  newStrategyType,
  type StrategyType,
  type StrategyTypeInput,
} from '#features/flags/strategy-types/index.ts';
import { createTagType, updateTagType } from '#features/flags/tags/index.ts';
import type { Operation as RequestedOperation } from '#features/review/change-requests/index.ts';
import { limitFault } from '#kernel/limits.ts';
import { reservedInPlan } from '#kernel/visible-names.ts';
import type { Tx } from '#storage/tx.ts';
import { fieldChanges, type StateChange } from './changes.ts';
import type { CurrentState } from './current-state.ts';
import type { DesiredContextField, DesiredSegment, DesiredTagType } from './desired-state.ts';
import type { PlanOptions, StateFault } from './options.ts';
import { segmentChange } from './payloads.ts';

/** A change of an entity other than a flag, and the function that applies it. */
export interface Operation {
  readonly change: StateChange;
  /** The change of a segment as a change request in a project that may use the segment has it. */
  readonly request?: { readonly segment: Pick<Segment, 'id' | 'project'>; readonly operation: RequestedOperation };
  run(tx: Tx): Promise<void>;
}

/** The projects that exist after the plan, by id. */
type Projects = ReadonlyMap<string, unknown>;

/** The result of comparing desired entities with the existing ones. */
export interface Comparison<T> {
  readonly operations: readonly Operation[];
  /** The entities after the plan, by name. */
  readonly after: ReadonlyMap<string, T>;
}

export function compareTagTypes(
  current: CurrentState,
  desired: readonly DesiredTagType[],
  { keepExisting }: Pick<PlanOptions, 'keepExisting'>,
): Comparison<{ readonly name: string }> {
  const after = new Map<string, { readonly name: string }>(current.tagTypes);
  const operations = desired.flatMap((tagType): Operation[] => {
    const { name, ...values } = tagType;
    const old = current.tagTypes.get(name);
    after.set(name, old ?? tagType);
    if (old === undefined) {
      const change = toStateChange('tag-type-created', 'tag-type', name, null, undefined, values);
      return [{ change, run: async (tx) => void (await createTagType(tx, tagType)) }];
    }
    const change = toStateChange('tag-type-updated', 'tag-type', name, null, old, { ...old, ...defined(values) });
    return keepExisting || change.fields.length === 0 ? [] : [{ change, run: (tx) => updateTagType(tx, name, values) }];
  });
  return { operations, after };
}

/** Creates missing custom strategies; existing ones stay unchanged. */
export function compareStrategies(
  current: CurrentState,
  desired: readonly StrategyTypeInput[],
  { limits }: Pick<PlanOptions, 'limits'>,
  faults: StateFault[],
): Comparison<StrategyType> {
  const after = new Map(current.definitions);
  const operations = desired.flatMap((strategy): Operation[] => {
    const { name, ...values } = strategy;
    if (after.has(name)) return [];
    after.set(name, newStrategyType(strategy));
    if (limits.strategyTypes.noCreation) {
      faults.push({
        kind: 'strategy',
        name,
        path: '',
        message: 'creating custom strategies is disabled on this instance',
      });
    }
    const change = toStateChange('strategy-created', 'strategy', name, null, undefined, values);
    return [{ change, run: async (tx) => void (await createStrategyType(tx, limits.strategyTypes, strategy)) }];
  });
  return { operations, after };
}

export function compareContextFields(
  current: CurrentState,
  desired: readonly DesiredContextField[],
  { keepExisting }: Pick<PlanOptions, 'keepExisting'>,
  projects: Projects,
  faults: StateFault[],
): Comparison<ContextField> {
  const after = new Map(current.contextFields);
  const operations = desired.flatMap((field): Operation[] => {
    const { name, project = null, ...values } = field;
    const old = current.contextFields.get(name);
    if (old === undefined) {
      if (current.hiddenEntities.contextFields.has(name)) {
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
      const change = toStateChange('context-field-created', 'context-field', name, project, undefined, values);
      return [{ change, run: async (tx) => void (await createContextField(tx, name, values, project)) }];
    }
    if (keepExisting) return [];
    if (field.project !== undefined && field.project !== old.project) {
      faults.push({ kind: 'context-field', name, path: 'project', message: 'cannot be changed' });
      return [];
    }
    const changed: ContextField = { ...old, ...defined(values) };
    after.set(name, changed);
    const change = toStateChange('context-field-updated', 'context-field', name, old.project, old, changed);
    return change.fields.length === 0 ? [] : [{ change, run: (tx) => updateContextField(tx, { name }, values) }];
  });
  return { operations, after };
}

/** Compares segments. New segments get temporary negative ids. */
export function compareSegments(
  current: CurrentState,
  desired: readonly DesiredSegment[],
  fields: ReadonlyMap<string, ContextField>,
  { keepExisting, limits, caller }: Pick<PlanOptions, 'keepExisting' | 'limits' | 'caller'>,
  projects: Projects,
  faults: StateFault[],
): Comparison<{ readonly id: number; readonly project: string | null }> {
  const after = new Map<string, { readonly id: number; readonly project: string | null }>(current.segments);
  let created = 0;
  const operations = desired.flatMap((segment): Operation[] => {
    const { name } = segment;
    const old = current.segments.get(name);
    if (old === undefined && segment.constraints === undefined) {
      // An import names segments only to refer to them.
      if (!keepExisting)
        faults.push({ kind: 'segment', name, path: 'constraints', message: 'is required for a new segment' });
      return [];
    }
    if (current.hiddenEntities.segments.has(name)) {
      faults.push({ kind: 'segment', name, path: '', message: reservedInPlan(name) });
      return [];
    }
    const input = {
      name,
      description: segment.description === undefined ? (old?.description ?? null) : segment.description,
      project: segment.project === undefined ? (old?.project ?? null) : segment.project,
      constraints: segment.constraints ?? old?.constraints ?? [],
    };
    after.set(name, {
      id: old?.id ?? -++created,
      project: keepExisting && old !== undefined ? old.project : input.project,
    });
    if (keepExisting && old !== undefined) return [];
    const isKnown = requireKnown(projects, input.project, { kind: 'segment', name }, faults);
    const inner: Fault[] = [];
    const constraints = collectFaults(inner, '', () => {
      const checked = checkSegmentConstraints(input.constraints, limits.segments, old?.constraints);
      checkLegalValuesOf(fields, input.project, checked, old?.constraints);
      return checked;
    });
    faults.push(...inner.map((fault) => ({ kind: 'segment' as const, name, ...fault })));
    if (!isKnown) return [];
    if (old === undefined) {
      const change = toStateChange('segment-created', 'segment', name, input.project, undefined, input);
      return [{ change, run: async (tx) => void (await createSegment(tx, limits.segments, input)) }];
    }
    const changed = { ...input, constraints: constraints ?? input.constraints };
    const change = toStateChange('segment-updated', 'segment', name, input.project, toComparable(old), changed);
    const mayChange = segmentChangeCheck(caller, 'UPDATE_SEGMENT');
    const run = (tx: Tx) => updateSegment(tx, limits.segments, old.id, input, mayChange);
    const request = { segment: old, operation: segmentChange({ id: old.id, ...input }) };
    return change.fields.length === 0 ? [] : [{ change, run, request }];
  });
  const total = current.segments.size + current.hiddenEntities.segments.size + created;
  if (created > 0 && total > limits.segments.segments) {
    const message = limitFault(limits.segments.segments, 'segments');
    faults.push({ kind: 'segment', name: '', path: '', message });
  }
  return { operations, after };
}

/**
 * Returns whether the project is null (all projects) or exists, and adds a fault otherwise. The caller plans no change
 * then, because the permissions that it needs could reveal a hidden project.
 */
function requireKnown(
  projects: Projects,
  project: string | null,
  entity: Pick<StateFault, 'kind' | 'name'>,
  faults: StateFault[],
): boolean {
  if (project === null || projects.has(project)) return true;
  faults.push({ ...entity, path: 'project', message: `there is no project ${project}` });
  return false;
}

/** Returns the change that creates an entity without a project. */
export function creationOf(
  type: StateChange['type'],
  kind: Exclude<StateChange['kind'], 'flag'>,
  name: string,
  after: object,
): Pick<Operation, 'change'> {
  return { change: toStateChange(type, kind, name, null, undefined, after) };
}

export function toStateChange(
  type: StateChange['type'],
  kind: Exclude<StateChange['kind'], 'flag'>,
  name: string,
  project: string | null,
  before: object | undefined,
  after: object | undefined,
): StateChange {
  const fields = fieldChanges(before, after).filter(({ field }) => field !== 'name' || kind === 'project');
  return { type, kind, name, project, environment: null, item: null, fields };
}

function toComparable({ name, description, project, constraints }: Segment) {
  return { name, description, project, constraints };
}

/** Removes keys whose value is undefined. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
