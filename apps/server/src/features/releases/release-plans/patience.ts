import { defaultRestMinutes, defaultStepDownMinutes } from '@yardarm/contract';
import type { Plan } from './plan.ts';

type Given = { readonly stepDownMinutes?: number | null | undefined; readonly restMinutes?: number | undefined };

/** How long a plan waits until a hold goes further down, and until a held milestone is tried again. */
export type Patience = Pick<Plan, 'stepDownMinutes' | 'restMinutes'>;

/** Returns the given times, with the default for those that are not given. */
export function patienceOf({ stepDownMinutes, restMinutes = defaultRestMinutes }: Given): Patience {
  return { stepDownMinutes: stepDownMinutes === undefined ? defaultStepDownMinutes : stepDownMinutes, restMinutes };
}

/** Returns the times that differ from the defaults. */
export function ownPatience({ stepDownMinutes, restMinutes }: Patience): Partial<Patience> {
  return {
    ...(stepDownMinutes === defaultStepDownMinutes ? {} : { stepDownMinutes }),
    ...(restMinutes === defaultRestMinutes ? {} : { restMinutes }),
  };
}
