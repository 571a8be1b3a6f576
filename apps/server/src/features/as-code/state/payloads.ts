import { fieldsIn, strategyFields } from '@yardarm/contract';
import type { SegmentInput } from '#features/flags/segments/index.ts';
import type { MilestoneStrategy, TransitionCondition } from '#features/releases/release-templates/index.ts';
import type { Operation } from '#features/review/change-requests/index.ts';
import type { ToRealId } from './segment-ids.ts';

type PayloadOf<T extends Operation['action']> = Extract<Operation, { readonly action: T }>['payload'];
type StrategyPayload = PayloadOf<'addStrategy'>;
type ConditionPayload = PayloadOf<'changeMilestoneProgression'>['transitionCondition'];

/** Returns a planned strategy as the payload of a change, with the real ids of new segments. */
export function strategyPayload(
  strategy: Omit<MilestoneStrategy, 'id'>,
  toRealId: ToRealId = (id) => id,
): StrategyPayload {
  const { sortOrder: _, ...fields } = fieldsIn(strategyFields, strategy);
  return structuredClone({ ...fields, segments: fields.segments.map(toRealId) }) as StrategyPayload;
}

/** Returns gates as a payload of changes has them. */
export function conditionPayload(condition: TransitionCondition): ConditionPayload {
  return structuredClone(condition) as ConditionPayload;
}

/** Returns the change of a segment as a change request has it. */
export function segmentChange(payload: { readonly id: number } & SegmentInput): Operation {
  return { action: 'updateSegment', payload: structuredClone(payload) as PayloadOf<'updateSegment'> };
}
