import { evaluationsSince } from '#features/sdks/usage/index.ts';
import { timeText } from '#kernel/clock.ts';
import type { CheckedGate } from './gate.ts';

const hourMs = 3_600_000;

/** Opens when SDKs have reported enough evaluations of the flag. Without reports it stays closed. */
export const evaluations: CheckedGate = {
  look: async (db, run, until) => {
    const { evaluations: needed } = run.condition;
    if (needed === undefined) return undefined;
    const seen = await evaluationsSince(db, run, { since: run.startedAt, until });
    // Without the time, the count seems to contradict the usage of the flag, which has all evaluations.
    const from = timeText(Math.ceil(run.startedAt / hourMs) * hourMs);
    return { isOpen: seen >= needed, text: `${seen} of ${needed} evaluations, counted from ${from} on` };
  },
};
