import { filledText, holdEffects } from '@yardarm/contract';
import { z } from 'zod';
import { findFeature, requireFeature } from '#features/flags/feature/index.ts';
import { type HeldAlert, type Hold, type Holder, stateOf } from '#features/flags/held-state/index.ts';
import {
  endOrRest,
  findHold,
  type HoldRef,
  listHolds,
  type Pace,
  placeHold,
  type RequestedEffect,
  renewHold,
} from '#features/flags/holds/index.ts';
import { heldAtMilestone } from '#features/releases/release-plans/index.ts';
import { timeText } from '#kernel/clock.ts';
import { startOfText } from '#kernel/cut-text.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import {
  defineKind,
  environmentParameter,
  flagParameter,
  type ParameterDefinition,
  projectParameter,
  wholeNumber,
} from './kind.ts';

const place = { project: z.string(), environment: z.string(), featureName: z.string() };

/**
 * The condition of actions without the parameter `key`. Holds under this condition are distinguished by their set and
 * account (ADR 60).
 */
const defaultKey = 'actions';
const key = filledText(200).default(defaultKey);
const conditionParameter: ParameterDefinition = {
  name: 'key',
  label: 'Condition',
  description:
    'What tells alerts apart, such as {{item.fingerprint}}. An action that releases must use the same. Not needed where the same action also releases.',
  type: 'text',
  optional: true,
};

const maxMinutes = 60 * 24 * 30;
const maxReasonLength = 1000;

export const holdFlag = defineKind({
  label: 'Hold a feature flag while a condition holds',
  description:
    'Holds a flag off, on, at a percentage or at an earlier milestone of its release plan until it is released or the time is over. The configured state does not change and applies again afterwards',
  category: 'Feature flags',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  release: { action: 'RELEASE_FEATURE', parameters: ['project', 'environment', 'featureName', 'key'] },
  parameters: [
    projectParameter,
    environmentParameter,
    flagParameter,
    {
      name: 'effect',
      label: 'Hold it',
      type: 'select',
      optional: false,
      options: [...holdEffects],
      optionLabels: {
        off: 'Off for all',
        rollout: 'At a percentage',
        on: 'On',
        milestone: 'At an earlier milestone of its release plan',
      },
    },
    { name: 'rollout', label: 'Percentage, if held at a percentage', type: 'number', optional: true },
    {
      name: 'milestone',
      label: 'Milestone, if held at a milestone',
      description:
        'previous (without a value), first, or the name of a milestone. Never later than the milestone that is active when the hold begins. Off when there is none. A flag without a release plan is not held',
      type: 'text',
      optional: true,
    },
    { name: 'minutes', label: 'Minutes until it is released automatically', type: 'number', optional: true },
    {
      name: 'onExpiry',
      label: 'When the minutes are over',
      type: 'select',
      optional: true,
      options: ['release', 'keep'],
      optionLabels: {
        release: 'The flag returns to its configured state',
        keep: 'The hold stays until its alert ends or a person releases it',
      },
    },
    { name: 'reason', label: 'Reason, such as {{item.labels.alertname}}', type: 'text', optional: true },
    conditionParameter,
  ],
  schema: z.strictObject({
    ...place,
    effect: z.enum(holdEffects),
    rollout: wholeNumber(100).optional(),
    milestone: filledText(255).default('previous'),
    minutes: wholeNumber(maxMinutes).optional(),
    onExpiry: z.enum(['release', 'keep']).default('release'),
    reason: z.string().optional(),
    key,
  }),
  check: ({ effect, rollout }) =>
    effect === 'rollout' && rollout === undefined
      ? { name: 'rollout', problem: 'is required when the flag is held at a percentage' }
      : undefined,
  onPlan: ({ effect, minutes, onExpiry, reason, key: condition }, { actionSetId, userId, at }) => {
    const until = onExpiry === 'keep' ? null : endOf(minutes, at);
    return {
      type: 'hold',
      hold: {
        ...{ key: condition, setId: actionSetId, userId, until },
        reason: cleanReason(reason),
        rests: effect === 'milestone',
      },
    };
  },
  run: async (tx, params, { holds, actionSetId, renewOnly, alert = null }) => {
    const { effect: _, rollout: __, milestone: ___, minutes, onExpiry, reason, key, ...where } = params;
    // A dry run has no run id.
    const { runId = 0 } = tx.by.cause;
    const holder = { kind: 'run', key, runId, actionSetId } as const;
    if (renewOnly) return (await renewHold(tx, { ...where, holder, alert })) ? undefined : { nothingToDo: true };
    const requested = await requestedEffect(tx, params, holder);
    if ('nothingToHold' in requested) return { nothingToDo: true, details: requested.nothingToHold };
    const expiresAt = endOf(minutes, tx.now);
    await placeHold(tx, holds, {
      ...where,
      ...requested,
      holder,
      alert,
      reason: cleanReason(reason),
      expiresAt,
      onExpiry,
    });
    return undefined;
  },
});

interface EffectParams {
  readonly project: string;
  readonly environment: string;
  readonly featureName: string;
  readonly effect: (typeof holdEffects)[number];
  readonly rollout?: number | undefined;
  readonly milestone: string;
}

/** Returns the effect that the parameters ask for, or why there is nothing to hold. */
async function requestedEffect(
  tx: Tx,
  { effect, rollout, milestone: target, ...place }: EffectParams,
  holder: HoldRef['holder'],
): Promise<(RequestedEffect & { readonly pace?: Pace }) | { readonly nothingToHold: string }> {
  if (effect === 'milestone') {
    const held = await findHold(tx.db, { ...place, holder });
    return heldAtMilestone(tx.db, place, tx.now, { target, held });
  }
  if (effect !== 'rollout') return { effect };
  if (rollout === undefined)
    throw new Problem('BadDataError', 'The parameter rollout is required with the effect rollout: set a percentage.');
  return { effect, rollout };
}

export const releaseFlag = defineKind({
  label: 'Release a feature flag that is held',
  description:
    'Ends the holds that actions placed under the same condition; without a condition, those that the same service account placed without one. The configured state applies again',
  category: 'Feature flags',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  givesBack: true,
  parameters: [projectParameter, environmentParameter, flagParameter, conditionParameter],
  schema: z.strictObject({ ...place, key }),
  onPlan: ({ key: condition }, { actionSetId, userId, ownHolds }) => ({
    type: 'release',
    ends: (hold) =>
      hold.key === condition &&
      (ownHolds ? hold.setId === actionSetId : hold.userId === userId || condition !== defaultKey),
  }),
  run: async (tx, { project, featureName, environment, key }, context) => {
    const { actionSetId, ownHolds, alert, formerKey } = context;
    const { userId } = tx.by.actor;
    const feature = await findFeature(tx.db, featureName);
    // A flag that moved to another project while it was held is still released by the account that holds it.
    const moved = feature !== undefined && feature.project !== project;
    const mayRelease = ({ holder }: Hold) =>
      ownHolds
        ? holder.actionSetId === actionSetId || (holder.actionSetId === null && holder.userId === userId)
        : holder.userId === userId || (!moved && isShared(holder, key));
    const { runId = Number.MAX_SAFE_INTEGER } = tx.by.cause;
    // A release that had to wait does not end a hold that a later run asked for: the alert fires again.
    const isEarlier = ({ renewedByRunId }: Hold) => renewedByRunId === null || renewedByRunId < runId;
    const hasKey = ({ holder }: Hold) => holder.kind === 'run' && (holder.key === key || holder.key === formerKey);
    const mayEnd = (hold: Hold) => hasKey(hold) && isEarlier(hold) && mayRelease(hold);
    let firesAgain: Hold | undefined;
    const { changed, restsUntil } = await endOrRest(tx, { featureName, environment }, (hold) => {
      if (!mayEnd(hold)) return false;
      if (!isOfEarlierOccurrence(alert, hold)) return true;
      firesAgain = hold;
      return false;
    });
    if (changed) return undefined;
    if (restsUntil !== null) return { nothingToDo: true, details: restsText };
    if (firesAgain !== undefined) return { nothingToDo: true, details: firesAgainText(firesAgain) };
    await requireFeature(tx.db, { project, featureName });
    return { nothingToDo: true, details: await nothingToRelease(tx, { featureName, environment, key }) };
  },
});

/** Returns whether the end of an alert is that of an earlier occurrence than the one that a hold is for. */
function isOfEarlierOccurrence(ended: HeldAlert | undefined, { alert: held }: Hold): boolean {
  if (ended === undefined || held === null || ended.condition !== held.condition) return false;
  return ended.occurredAt !== null && held.occurredAt !== null && ended.occurredAt < held.occurredAt;
}

function firesAgainText({ alert, featureName, environment }: Hold): string {
  const at = alert?.occurredAt == null ? '' : ` since ${timeText(alert.occurredAt, 'seconds')}`;
  return `${nothingToReleaseText}${featureName} is held in ${environment} because the alert fires again${at}. This is the end of an earlier occurrence.`;
}

/** Returns the time that is `minutes` after `from`; null when there are no minutes. */
function endOf(minutes: number | undefined, from: number): number | null {
  return minutes === undefined || minutes === 0 ? null : from + minutes * 60_000;
}

/**
 * Returns whether any account may release a hold: its condition is not the default one, or an earlier version stored it
 * without its set.
 */
function isShared({ actionSetId }: Holder, key: string): boolean {
  return key !== defaultKey || actionSetId === null;
}

interface Condition {
  readonly featureName: string;
  readonly environment: string;
  readonly key: string;
}

/**
 * The beginning of the reason of a run that had nothing to release. Such runs are normal, because senders repeat
 * signals.
 */
export const nothingToReleaseText = 'Nothing to release: ';

const restsText = `${nothingToReleaseText}the hold ends when the milestone has rested.`;

/**
 * Returns a text that no hold has the condition. It names the newest hold of the flag in the environment, if there is
 * one.
 */
async function nothingToRelease(tx: Tx, { featureName, environment, key }: Condition): Promise<string> {
  const [nearest] = (await listHolds(tx.db, featureName)).filter((hold) => hold.environment === environment);
  const condition = key === defaultKey ? '' : ` under the condition ${key}`;
  const nothing = `${nothingToReleaseText}${featureName} is not held in ${environment}${condition}.`;
  if (nearest === undefined) return nothing;
  const { holder, placedAt } = nearest;
  const under = holder.kind !== 'run' || holder.key === defaultKey ? '' : ` under the condition ${holder.key}`;
  return `${nothing} ${holder.name} holds it ${stateOf(nearest)}${under} since ${timeText(placedAt)}.`;
}

/** Shortens and cleans a reason so that it can be stored. A long text must not make the hold fail. */
function cleanReason(reason = ''): string | null {
  const text = startOfText(reason.replaceAll('\0', '').trim(), maxReasonLength);
  return text === '' ? null : text;
}
