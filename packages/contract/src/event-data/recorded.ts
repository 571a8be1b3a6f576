import { z } from 'zod';

/** The schemas of the two values of an event: the state after the change, and the state before it. */
export interface RecordedValues {
  readonly data: z.ZodType;
  readonly preData: z.ZodType;
}

/** The schemas of an event without `data` and `preData`, because its other fields say everything. */
export const nothing: RecordedValues = { data: z.null(), preData: z.null() };

/** Returns the schemas of an event that records a state after the change, or facts about the event, in `data`. */
export function after(data: z.ZodType): RecordedValues {
  return { data, preData: z.null() };
}

/** Returns the schemas of an event that records a state before the change, such as a deleted object, in `preData`. */
export function before(preData: z.ZodType): RecordedValues {
  return { data: z.null(), preData };
}

/** Returns the schemas of an event that records the same object before and after the change. */
export function both(state: z.ZodType): RecordedValues {
  return { data: state, preData: state };
}
