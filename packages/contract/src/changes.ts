import { z } from 'zod';
import { dependencyBody } from './flag-dependencies.ts';
import { variantsBody } from './flag-variants.ts';
import { newPlanBody, planStrategies, progressionBody, removedPlanQuery } from './release-plans.ts';
import { maxSafeguards, safeguardBody } from './safeguards.ts';
import { id } from './scalars.ts';
import { segmentBody } from './segments.ts';
import { createFeatureStrategySchema, strategyPlaces } from './strategies.ts';
import { strategyInput } from './strategy-fields.ts';
import { nameParam } from './text.ts';

const ofFlag = { feature: nameParam };
const planOfSafeguard = nameParam.nullable().optional().meta({ description: 'Absent for a safeguard of the flag' });

/** The changes that a change request can contain. Each payload is the body of the direct call. */
export const changeBody = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('updateEnabled'),
    ...ofFlag,
    payload: z.object({ enabled: z.boolean(), shouldActivateDisabledStrategies: z.boolean().optional() }),
  }),
  z.object({ action: z.literal('addStrategy'), ...ofFlag, payload: createFeatureStrategySchema }),
  z.object({
    action: z.literal('updateStrategy'),
    ...ofFlag,
    payload: strategyInput.extend({ id: nameParam }),
  }),
  z.object({ action: z.literal('deleteStrategy'), ...ofFlag, payload: z.object({ id: nameParam }) }),
  z.object({ action: z.literal('reorderStrategy'), ...ofFlag, payload: strategyPlaces }),
  z.object({ action: z.literal('patchVariant'), ...ofFlag, payload: z.object({ variants: variantsBody }) }),
  z.object({ action: z.literal('archiveFeature'), ...ofFlag, payload: z.object({}).nullable().optional() }),
  z.object({ action: z.literal('addDependency'), ...ofFlag, payload: dependencyBody }),
  z.object({
    action: z.literal('deleteDependency'),
    ...ofFlag,
    payload: z
      .object({ feature: nameParam.optional() })
      .nullable()
      .optional()
      .meta({ description: 'Without `feature`, all dependencies of the flag are removed' }),
  }),
  z.object({
    action: z.literal('addReleasePlan'),
    ...ofFlag,
    payload: newPlanBody.extend({
      safeguards: z.array(safeguardBody).max(maxSafeguards).optional().meta({ description: 'To set for the plan' }),
    }),
  }),
  z.object({
    action: z.literal('deleteReleasePlan'),
    ...ofFlag,
    payload: removedPlanQuery.extend({ planId: nameParam }),
  }),
  z.object({
    action: z.literal('startMilestone'),
    ...ofFlag,
    payload: z.object({
      planId: nameParam,
      milestoneId: nameParam,
      shadow: z.literal(false).optional().meta({ description: 'Ends the shadow mode of the plan' }),
      strategies: planStrategies.optional().meta({ description: 'As in `addReleasePlan`, when the shadow mode ends' }),
    }),
  }),
  z.object({
    action: z.literal('approveMilestone'),
    ...ofFlag,
    payload: z.object({ planId: nameParam, milestoneId: nameParam }),
  }),
  z.object({
    action: z.literal('changeMilestoneProgression'),
    ...ofFlag,
    payload: progressionBody.extend({ sourceMilestone: nameParam }),
  }),
  z.object({
    action: z.literal('deleteMilestoneProgression'),
    ...ofFlag,
    payload: z.object({ sourceMilestone: nameParam }),
  }),
  z.object({
    action: z.literal('updateMilestoneStrategy'),
    ...ofFlag,
    payload: strategyInput.extend({ id: nameParam }),
  }),
  z.object({
    action: z.literal('changeSafeguard'),
    ...ofFlag,
    payload: safeguardBody.extend({ planId: planOfSafeguard }),
  }),
  z.object({
    action: z.literal('deleteSafeguard'),
    ...ofFlag,
    payload: z.object({ safeguardId: nameParam, planId: planOfSafeguard }),
  }),
  z.object({ action: z.literal('updateSegment'), payload: segmentBody.extend({ id }) }),
  z.object({ action: z.literal('deleteSegment'), payload: z.object({ id }) }),
]);

/** A requested change. */
export type ChangeBody = z.output<typeof changeBody>;

/** The actions of requested changes. */
export const changeActions = changeBody.options.map(({ shape }) => shape.action.value);
