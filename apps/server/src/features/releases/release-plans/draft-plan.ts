import { requireFeature } from '#features/flags/feature/index.ts';
import {
  type Milestone,
  type MilestoneInput,
  milestonesIn,
  requireUsableTemplate,
  toMilestones,
} from '#features/releases/release-templates/index.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Db } from '#storage/tx.ts';
import { type Place, requireInEnvironment, requirePlan } from './find-plan.ts';
import { patienceOf } from './patience.ts';
import type { Plan } from './plan.ts';

/** The milestones of a plan: exactly one of the first three fields is given. */
export interface DraftSource {
  readonly planId?: string | undefined;
  readonly templateId?: string | undefined;
  readonly milestones?: readonly MilestoneInput[] | undefined;
  /** When absent, those of the stored plan apply. */
  readonly maxHalts?: number | null | undefined;
  readonly restMinutes?: number | undefined;
}

/**
 * Returns an unsaved plan of a flag, of which no milestone has started. Its milestones have no strategies unless they
 * are those of a stored plan or template. Rejects with 400 for gates that are not valid and a template of another
 * project, and with 404 for an unknown flag, environment, plan or template.
 */
export async function draftPlan(
  db: Db,
  caller: Pick<Identity, 'hidden'>,
  place: Place,
  source: DraftSource,
): Promise<Plan> {
  await requireFeature(db, place);
  await requireInEnvironment(db, place);
  const given = [source.planId, source.templateId, source.milestones].filter((field) => field !== undefined);
  if (given.length !== 1)
    throw badField('planId', 'must be given when templateId and milestones are not: give one of the three');
  const { planId } = source;
  const stored = planId === undefined ? undefined : (await requirePlan(db, { ...place, planId })).plan;
  const milestones = (stored?.milestones ?? (await milestonesOf(db, caller, place, source))).map(asNew);
  const [first] = milestones;
  if (first === undefined) throw badField('milestones', 'must not be empty');
  return {
    id: newId(),
    featureName: place.featureName,
    environment: place.environment,
    name: 'Rehearsal',
    description: null,
    templateId: null,
    milestones,
    activeMilestoneId: first.id,
    shadow: false,
    pausedAt: null,
    pauseReason: null,
    stoppedBy: null,
    elapsedMs: 0,
    runningSince: null,
    nextAt: null,
    gatedAt: null,
    maxHalts: source.maxHalts === undefined ? (stored?.maxHalts ?? null) : source.maxHalts,
    ...patienceOf({ stepDownMinutes: stored?.stepDownMinutes, restMinutes: source.restMinutes ?? stored?.restMinutes }),
    halts: 0,
    createdByUserId: 0,
    createdAt: 0,
  };
}

async function milestonesOf(
  db: Db,
  caller: Pick<Identity, 'hidden'>,
  { project, environment }: Place,
  { templateId, milestones }: DraftSource,
) {
  if (templateId !== undefined)
    return milestonesIn(await requireUsableTemplate(db, templateId, project, caller), environment);
  const withoutStrategies = (milestones ?? []).map(({ strategies: _, ...milestone }) => milestone);
  return toMilestones(db, { project }, withoutStrategies, [], () =>
    Promise.reject(new Error('the milestones of a rehearsal must not contain strategies')),
  );
}

function asNew({ approval: _, startedAnewAt: __, askedAt: ___, ...milestone }: Milestone): Milestone {
  return { ...milestone, startedAt: null, progressionExecutedAt: null };
}
