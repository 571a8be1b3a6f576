import type { Author } from '../../kernel/actor.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import type { Writer } from '../../storage/commit/write.ts';
import * as flags from '../flags/index.ts';
import { deleteSegment, findSegments, type MayChange, type SegmentLimits, updateSegment } from '../segments/index.ts';
import { type Doing, permissionOf } from './change.ts';

export interface ChangeLimits {
  readonly strategies: flags.StrategyLimits;
  readonly segments: SegmentLimits;
}

export interface Place {
  readonly project: string;
  readonly environment: string;
}

/**
 * Makes changes one after the other. What is wrong with one of several is told with its place among them, below the path
 * of their list.
 */
export async function applyChanges(
  tx: Tx,
  limits: ChangeLimits,
  place: Place,
  doings: readonly Doing[],
  list: '' | 'changes.',
): Promise<void> {
  for (const [index, doing] of doings.entries()) {
    await applyChange(tx, limits, place, doing).catch((error: unknown) => {
      if (doings.length === 1 || !(error instanceof Problem)) throw error;
      const { name, message, details, extras, headers } = error;
      const path = `${list}${index}`;
      throw new Problem(name, message, {
        details: (details ?? [{ message }]).map((one) => ({
          ...one,
          path: one.path === undefined ? path : `${path}.payload.${one.path}`,
        })),
        extras,
        headers,
        cause: error,
      });
    });
  }
}

/** Makes a change by the very command that the direct call uses: the same refusals, the same events. */
async function applyChange(tx: Tx, limits: ChangeLimits, { project, environment }: Place, doing: Doing): Promise<void> {
  if (doing.action === 'updateSegment' || doing.action === 'deleteSegment') {
    return applyToSegment(tx, limits.segments, project, doing);
  }
  const flag = { project, featureName: doing.feature };
  const place = { ...flag, environment };
  switch (doing.action) {
    case 'updateEnabled': {
      const { enabled, shouldActivateDisabledStrategies: activateDisabledStrategies } = doing.payload;
      return flags.setFeatureEnabled(tx, { ...place, enabled, activateDisabledStrategies });
    }
    case 'addStrategy':
      await flags.addStrategy(tx, limits.strategies, place, doing.payload);
      return;
    case 'updateStrategy': {
      const { id, ...input } = doing.payload;
      await flags.changeStrategy(tx, limits.strategies, { ...place, id }, () => input);
      return;
    }
    case 'deleteStrategy':
      return flags.deleteStrategy(tx, { ...place, id: doing.payload.id });
    case 'reorderStrategy':
      return flags.orderStrategies(tx, place, doing.payload);
    case 'patchVariant': {
      const { variants } = doing.payload;
      return flags.changeVariants(tx, { ...flag, environments: [environment] }, 'variants', () => variants);
    }
    case 'archiveFeature':
      return flags.archiveFeatures(tx, { project, featureNames: [doing.feature] });
    case 'addDependency':
      return flags.addDependency(tx, flag, doing.payload);
    case 'deleteDependency': {
      const parent = doing.payload?.feature;
      return parent === undefined ? flags.removeDependencies(tx, flag) : flags.removeDependency(tx, flag, parent);
    }
  }
}

type OfSegment = Extract<Doing, { readonly action: 'updateSegment' | 'deleteSegment' }>;

async function applyToSegment(tx: Tx, limits: SegmentLimits, project: string, doing: OfSegment): Promise<void> {
  const { id } = doing.payload;
  const [segment] = await findSegments(tx.db, [id]);
  // Of a segment of another project nothing is told, not even that it is there.
  if (segment === undefined || (segment.project !== null && segment.project !== project)) {
    throw new Problem('NotFoundError', `The project ${project} has no segment ${id}.`);
  }
  const mayChange = mayChangeSegment(tx.by, doing);
  if (doing.action === 'deleteSegment') return deleteSegment(tx, id, mayChange);
  return updateSegment(tx, limits, id, doing.payload, mayChange);
}

/** What the direct call asks for: a segment of a project may also be changed by who may change those of the project. */
function mayChangeSegment({ can = () => false, hidden }: Author, doing: Doing): MayChange {
  const permission = permissionOf(doing);
  return (project) => {
    // As of a project that there is not.
    if (project !== null && hidden?.has(project))
      throw badField('project', `must be the id of a project, not ${project}`);
    const scope = project === null ? {} : { project };
    const needed = project === null ? [permission] : [permission, 'UPDATE_PROJECT_SEGMENT'];
    if (needed.some((one) => can(one, scope))) return;
    const message = `You need the permission ${needed.join(' or ')} to do this.`;
    throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions: needed } });
  };
}

/** Ends a rehearsal. */
class Rehearsed<T> extends Error {
  readonly value: T;

  constructor(value: T) {
    super('a rehearsal is over');
    this.value = value;
  }
}

/** Makes changes and takes them back: throws what making them would throw, and answers what `work` does. */
export async function rehearse<T>(write: Writer['write'], by: Author, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await write(by, async (tx) => {
      throw new Rehearsed(await work(tx));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.value as T;
    throw error;
  }
}
