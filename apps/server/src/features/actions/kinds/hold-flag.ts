import { filledText } from '@yardarm/contract';
import { z } from 'zod';
import { Problem } from '../../../kernel/errors.ts';
import { requireFeature } from '../../flags/index.ts';
import { placeHold, releaseHold } from '../../holds/index.ts';
import {
  defineKind,
  environmentParameter,
  flagParameter,
  type ParameterDefinition,
  projectParameter,
  wholeNumber,
} from './kind.ts';

const place = { project: z.string(), environment: z.string(), featureName: z.string() };

/** The condition of actions that name none. */
const defaultKey = 'actions';
const key = filledText(200).default(defaultKey);
const conditionParameter: ParameterDefinition = {
  name: 'key',
  label: 'Condition, such as {{item.fingerprint}}; the releasing action must use the same',
  type: 'text',
  optional: true,
};

const maxMinutes = 60 * 24 * 30;
const maxReasonLength = 1000;

export const holdFlag = defineKind({
  label: 'Hold a feature flag while a condition holds',
  description:
    'Holds a flag off, on or at a percentage until it is released or the time is over. The configured state does not change and applies again afterwards',
  category: 'Feature flags',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  parameters: [
    projectParameter,
    environmentParameter,
    flagParameter,
    { name: 'effect', label: 'Hold it', type: 'select', optional: false, options: ['off', 'on', 'rollout'] },
    { name: 'rollout', label: 'Percentage, with rollout', type: 'number', optional: true },
    { name: 'minutes', label: 'Minutes until it is released automatically', type: 'number', optional: true },
    { name: 'reason', label: 'Reason, such as {{item.labels.alertname}}', type: 'text', optional: true },
    conditionParameter,
  ],
  schema: z.strictObject({
    ...place,
    effect: z.enum(['off', 'on', 'rollout']),
    rollout: wholeNumber(100).optional(),
    minutes: wholeNumber(maxMinutes).optional(),
    reason: z.string().optional(),
    key,
  }),
  run: async (tx, { effect, rollout, minutes, reason, key, ...where }, { holds }) => {
    // A dry run has no run id.
    const { runId = 0 } = tx.by.cause;
    if (effect === 'rollout' && rollout === undefined)
      throw new Problem('BadDataError', 'The parameter rollout is required with the effect rollout: set a percentage.');
    const effectAndRollout = effect === 'rollout' ? { effect, rollout: rollout ?? 0 } : { effect };
    const expiresAt = minutes === undefined || minutes === 0 ? null : tx.now + minutes * 60_000;
    await placeHold(tx, holds, {
      ...where,
      ...effectAndRollout,
      holder: { kind: 'run', key, runId },
      reason: cleanReason(reason),
      expiresAt,
    });
    return undefined;
  },
});

export const releaseFlag = defineKind({
  label: 'Release a feature flag that is held',
  description: 'Ends the hold that another action placed under the same condition. The configured state applies again',
  category: 'Feature flags',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  parameters: [projectParameter, environmentParameter, flagParameter, conditionParameter],
  schema: z.strictObject({ ...place, key }),
  run: async (tx, { project, featureName, environment, key }) => {
    await requireFeature(tx.db, { project, featureName });
    const wasHeld = await releaseHold(tx, { featureName, environment, holder: { kind: 'run', key } });
    return wasHeld
      ? undefined
      : { details: `There was no hold on ${featureName} in ${environment} under the condition ${key}.` };
  },
});

/** Shortens and cleans a reason so that it can be stored. A long text must not make the hold fail. */
function cleanReason(reason = ''): string | null {
  const text = reason.replaceAll('\0', '').trim().slice(0, maxReasonLength).toWellFormed();
  return text === '' ? null : text;
}
