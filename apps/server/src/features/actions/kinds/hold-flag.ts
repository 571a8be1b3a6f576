import { filledText } from '@yardarm/contract';
import { z } from 'zod';
import { Problem } from '../../../kernel/errors.ts';
import { requireFeature } from '../../flags/index.ts';
import { placeHold, releaseHold } from '../../holds/index.ts';
import { defineKind, ofEnvironment, ofFlag, ofProject, type ParameterDefinition, wholeNumber } from './kind.ts';

const place = { project: z.string(), environment: z.string(), featureName: z.string() };

/** Whoever names no condition means the only one that there is. */
const usualKey = 'actions';
const key = filledText(200).default(usualKey);
const ofKey: ParameterDefinition = {
  name: 'key',
  label: 'Condition, such as {{item.fingerprint}}; the action that releases it names the same',
  type: 'text',
  optional: true,
};

const mostMinutes = 60 * 24 * 30;
const mostReason = 1000;

export const holdFlag = defineKind({
  label: 'Hold a feature flag while a condition holds',
  description:
    'Holds a flag off, on or at a percentage over its configured state until it is released or the time is over; then that state is back, with what was changed in it meanwhile',
  category: 'Feature flags',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  parameters: [
    ofProject,
    ofEnvironment,
    ofFlag,
    { name: 'effect', label: 'Hold it', type: 'select', optional: false, options: ['off', 'on', 'rollout'] },
    { name: 'rollout', label: 'Percentage, with rollout', type: 'number', optional: true },
    { name: 'minutes', label: 'Minutes after which it is released in any case', type: 'number', optional: true },
    { name: 'reason', label: 'Reason, such as {{item.labels.alertname}}', type: 'text', optional: true },
    ofKey,
  ],
  schema: z.strictObject({
    ...place,
    effect: z.enum(['off', 'on', 'rollout']),
    rollout: wholeNumber(100).optional(),
    minutes: wholeNumber(mostMinutes).optional(),
    reason: z.string().optional(),
    key,
  }),
  run: async (tx, { effect, rollout, minutes, reason, key, ...where }, { holds }) => {
    // A rehearsal has no run.
    const { runId = 0 } = tx.by.cause;
    if (effect === 'rollout' && rollout === undefined)
      throw new Problem('BadDataError', 'The parameter rollout is missing: at which percentage to hold the flag.');
    const how = effect === 'rollout' ? { effect, rollout: rollout ?? 0 } : { effect };
    const expiresAt = minutes === undefined || minutes === 0 ? null : tx.now + minutes * 60_000;
    await placeHold(tx, holds, {
      ...where,
      ...how,
      holder: { kind: 'run', key, runId },
      reason: kept(reason),
      expiresAt,
    });
    return undefined;
  },
});

export const releaseFlag = defineKind({
  label: 'Release a feature flag that is held',
  description: 'Ends what another action holds of a flag under the same condition; its configured state is back',
  category: 'Feature flags',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  parameters: [ofProject, ofEnvironment, ofFlag, ofKey],
  schema: z.strictObject({ ...place, key }),
  run: async (tx, { project, featureName, environment, key }) => {
    await requireFeature(tx.db, { project, featureName });
    const wasHeld = await releaseHold(tx, { featureName, environment, holder: { kind: 'run', key } });
    return wasHeld ? undefined : { details: `Nothing held ${featureName} in ${environment} under ${key}.` };
  },
});

/** A reason as it can be stored. What does not fit is cut: a flag must not stay on because an alert has much to say. */
function kept(reason = ''): string | null {
  const text = reason.replaceAll('\0', '').trim().slice(0, mostReason).toWellFormed();
  return text === '' ? null : text;
}
