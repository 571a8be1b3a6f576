import type { Flag } from '../flags/flag-queries.ts';
import type { FlagChangeAsked } from './request-queries.ts';

/** What a change does, in words. */
export const changeWords: Readonly<Record<string, string>> = {
  updateEnabled: 'Switch the flag on or off',
  addStrategy: 'Add a strategy',
  updateStrategy: 'Change a strategy',
  deleteStrategy: 'Delete a strategy',
  reorderStrategy: 'Change the order of strategies',
  patchVariant: 'Change the variants',
  archiveFeature: 'Archive the flag',
  addDependency: 'Change what the flag depends on',
  deleteDependency: 'Remove a dependency',
  updateSegment: 'Change the segment',
  deleteSegment: 'Delete the segment',
};

type Fields = Readonly<Record<string, unknown>>;

/** What two JSON values of a change are: what is now and what is asked for, null for what there is not. */
export interface BeforeAndAfter {
  readonly before: unknown;
  readonly after: unknown;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of what there is now, the fields that the change names. */
function sameFields(now: Fields, asked: Fields): Fields {
  return Object.fromEntries(Object.keys(asked).flatMap((name) => (name in now ? [[name, now[name]]] : [])));
}

type FlagState = Flag['environments'][number];
type Strategy = NonNullable<FlagState['strategies']>[number];

/** As much of the state of a flag in an environment as changes are compared with. */
export type ComparedState = Partial<Pick<FlagState, 'enabled' | 'strategies' | 'variants'>>;

/**
 * Returns the state that an applied change replaced, undefined where that is not known. `now` has the names of the strategies whose order
 * was changed.
 */
export function replacedState(
  { action, before }: Pick<FlagChangeAsked, 'action' | 'before'>,
  now: ComparedState | undefined,
): ComparedState | undefined {
  if (before === undefined) return undefined;
  switch (action) {
    case 'updateEnabled':
      return { enabled: before.enabled };
    case 'updateStrategy':
    case 'deleteStrategy':
      return { strategies: [before] };
    case 'reorderStrategy':
      return { strategies: (before as readonly string[]).map((id, index) => placed(now, id, index)) };
    case 'patchVariant':
      return { variants: before };
    default:
      return undefined;
  }
}

/** The strategy of an id at a place, with the id as its name where the strategy is gone. */
function placed(now: ComparedState | undefined, id: string, sortOrder: number): Strategy {
  const known = now?.strategies?.find((one) => one.id === id);
  return { ...(known ?? ({ id, name: id } as Strategy)), sortOrder };
}

/**
 * Returns what a change of a flag changes, against a state of that flag: the one now, or the one that an applied change replaced. Without
 * a state it is what was asked for alone.
 */
export function ofFlag(
  { action, payload, before }: Pick<FlagChangeAsked, 'action' | 'payload' | 'before'>,
  now: ComparedState | undefined,
): BeforeAndAfter {
  const { id, ...asked }: Fields = isFields(payload) ? payload : {};
  const strategy = now?.strategies?.find((one) => one.id === id);
  switch (action) {
    case 'updateEnabled':
      return { before: now === undefined ? null : { enabled: now.enabled }, after: { enabled: asked.enabled } };
    case 'updateStrategy':
      return { before: strategy === undefined ? null : sameFields({ ...strategy }, asked), after: asked };
    case 'deleteStrategy': {
      if (strategy === undefined) return { before: null, after: null };
      const { name, title, parameters, constraints, segments, variants } = strategy;
      return { before: { name, title, parameters, constraints, segments, variants }, after: null };
    }
    case 'reorderStrategy':
      return {
        before:
          now === undefined
            ? null
            : { order: now.strategies?.toSorted((a, b) => a.sortOrder - b.sortOrder).map(strategyName) },
        after: { order: orderAsked(payload, now?.strategies ?? []) },
      };
    case 'patchVariant':
      return { before: now === undefined ? null : { variants: now.variants ?? [] }, after: asked };
    case 'deleteDependency':
      return { before: before ?? orNull(asked), after: null };
    default:
      return { before: before ?? null, after: orNull(asked) };
  }
}

/** A change that names no fields has nothing to show. */
const orNull = (fields: Fields) => (Object.keys(fields).length === 0 ? null : fields);

/** A strategy as people know it. */
export const strategyName = ({ title, name }: Strategy) =>
  title === null || title === undefined || title === '' ? name : title;

function orderAsked(payload: unknown, strategies: readonly Strategy[]): readonly string[] {
  const places = Array.isArray(payload) ? (payload as readonly { id: string; sortOrder: number }[]) : [];
  return places
    .toSorted((one, other) => one.sortOrder - other.sortOrder)
    .map(({ id }) => {
      const strategy = strategies.find((one) => one.id === id);
      return strategy === undefined ? id : strategyName(strategy);
    });
}
