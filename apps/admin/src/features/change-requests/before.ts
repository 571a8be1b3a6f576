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

/**
 * What a change of a flag would change, against the flag as it is now. Without a flag, and for what has been made or given
 * up, it is what was asked for alone.
 */
export function ofFlag(
  { action, payload }: Pick<FlagChangeAsked, 'action' | 'payload'>,
  flag: Flag | undefined,
  environment: string,
): BeforeAndAfter {
  const now = flag?.environments.find(({ name }) => name === environment);
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
    default:
      return { before: null, after: Object.keys(asked).length === 0 ? null : asked };
  }
}

type Strategy = NonNullable<Flag['environments'][number]['strategies']>[number];

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
