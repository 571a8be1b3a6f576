import { createApiToken, createFlag } from './changes.ts';
import { call } from './http-call.ts';
import type { Ledger } from './ledger.ts';
import type { Step } from './step.ts';
import { until } from './until.ts';

/** Changes that servers learn of by a notification of PostgreSQL arrive within this time. */
const notifiedMs = 250;

/**
 * Switches a flag on and off `times` times through the server at `from`. Returns for each change the milliseconds until
 * the server at `to` delivers it to an SDK.
 */
export async function propagationMs(
  from: string,
  to: string,
  adminToken: string,
  ledger: Ledger,
  times: number,
): Promise<number[]> {
  const make = async ({ request, next: _, ...change }: Step): Promise<unknown> => {
    const answer = await call(from, { ...request, token: adminToken });
    if (!ledger.changeAnswered(change, answer))
      throw new Error(`the change ${change.types} was answered with ${answer.status}`);
    return answer.body;
  };
  const { secret: token } = (await make(createApiToken())) as { secret: string };
  const flag = createFlag();
  await make(flag);
  const enabledThere = async () => {
    const answer = await call(to, { method: 'GET', path: '/api/client/features', token });
    const { features = [] } = (answer.body ?? {}) as { features?: { name: string; enabled: boolean }[] };
    return features.find(({ name }) => name === flag.feature)?.enabled;
  };
  const tookMs: number[] = [];
  for (let i = 0; i < times; i++) {
    await make(toggleStep(flag.feature ?? '', i));
    const changedAt = performance.now();
    await until(
      'the other server to deliver the change',
      5000,
      async () => (await enabledThere()) === (i % 2 === 0),
      1,
    );
    tookMs.push(Math.round(performance.now() - changedAt));
  }
  return tookMs;
}

function toggleStep(feature: string, turn: number): Step {
  const path = `/api/admin/projects/default/features/${feature}/environments/development`;
  const on: Step['types'] =
    turn === 0 ? ['feature-strategy-add', 'feature-environment-enabled'] : ['feature-environment-enabled'];
  return turn % 2 === 0
    ? { types: on, data: {}, feature, request: { method: 'POST', path: `${path}/on` } }
    : { types: ['feature-environment-disabled'], data: {}, feature, request: { method: 'POST', path: `${path}/off` } };
}

/**
 * Returns whether changes arrive by notification: servers also poll once a second, by which they take half a second.
 */
export function isNotified(tookMs: readonly number[]): boolean {
  const median = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)];
  return median !== undefined && median < notifiedMs;
}
