import { evaluationsSince } from '../../usage/index.ts';
import type { CheckedGate } from './gate.ts';

/** Opens when SDKs have reported enough evaluations of the flag. Without reports it stays closed. */
export const evaluations: CheckedGate = {
  look: async (db, run, until) => {
    const { evaluations: needed } = run.condition;
    if (needed === undefined) return undefined;
    const seen = await evaluationsSince(db, run, { since: run.startedAt, until });
    return { isOpen: seen >= needed, text: `${seen} of ${needed} evaluations seen` };
  },
};
