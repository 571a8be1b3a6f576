import { z } from 'zod';

/** The schemas of the two values of an event: the state after the change, and the state before it. */
export interface RecordedValues {
  readonly data: z.ZodType;
  readonly preData: z.ZodType;
}

/** An event whose other fields say everything. */
export const nothing: RecordedValues = { data: z.null(), preData: z.null() };

/** An event with a state after the change, or with facts about it. */
export function after(data: z.ZodType): RecordedValues {
  return { data, preData: z.null() };
}

/** An event with a state before the change, such as a deleted object. */
export function before(preData: z.ZodType): RecordedValues {
  return { data: z.null(), preData };
}

/** An event with the same object before and after the change. */
export function both(state: z.ZodType): RecordedValues {
  return { data: state, preData: state };
}
