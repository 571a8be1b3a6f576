import { createApiToken, createEndpoint, createFlag } from './changes.ts';
import { call } from './http-call.ts';
import type { Ledger } from './ledger.ts';
import type { Step } from './step.ts';
import type { Target } from './target.ts';

/** The remaining steps of the current sequence, and the number of sequences begun. */
export interface Administrator {
  steps: Step[];
  subjects: number;
}

const subjects = [createEndpoint, createFlag, createApiToken] as const;

/**
 * Makes one change. Returns whether it was acknowledged. After an unacknowledged change the state of its object is
 * unknown, so the next change begins a sequence with a new object.
 */
export async function administrate(target: Target, ledger: Ledger, administrator: Administrator): Promise<boolean> {
  const begin = subjects[administrator.subjects % subjects.length] ?? createEndpoint;
  if (administrator.steps.length === 0) {
    administrator.subjects++;
    administrator.steps = [begin()];
  }
  const { request, next, ...change } = administrator.steps.shift() as Step;
  const answer = await call(target.origin, { ...request, token: target.adminToken });
  const acknowledged = ledger.changeAnswered(change, answer);
  if (!acknowledged) administrator.steps = [];
  else if (next !== undefined) administrator.steps.push(...next(answer.body));
  return acknowledged;
}
