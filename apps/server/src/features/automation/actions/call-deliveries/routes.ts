import type { actionCallRoutes } from '@yardarm/contract';
import { attemptsOfAll, maxRedelivered } from '#features/platform/deliveries/index.ts';
import type { Handlers } from '#http/handler.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { deliveriesOfRun, presentKey, queueFailedCalls, rotateSigningKey, signingKeys } from '../calls/index.ts';
import { findRuns, requireRun, requireVisibleRun } from '../runs/index.ts';
import { requireSet } from '../sets/index.ts';

interface CallContext {
  /** How long a call is retried. */
  readonly deliveryLifetimeMs: number;
  /** Called after calls were queued. */
  readonly onCallQueued: () => void;
}

/** Builds the routes of action calls: attempts, redelivery and signing keys. */
export function callDeliveryHandlers(
  { db, write }: Database,
  clock: Clock,
  { deliveryLifetimeMs, onCallQueued }: CallContext,
): Handlers<typeof actionCallRoutes> {
  const redeliver = async (tx: Tx, project: string, selection: Selection) => {
    const redelivered = await queueFailedCalls(tx, selection, deliveryLifetimeMs, failedByCalls);
    if (redelivered > 0) tx.record({ type: 'action-calls-redelivered', project, data: { ...selection, redelivered } });
    return { redelivered, more: redelivered === maxRedelivered };
  };
  return {
    'GET /api/admin/action-calls/signing-keys': async () => ({ body: await presentKeys(db, clock.now()) }),
    'POST /api/admin/action-calls/signing-keys/rotate': async ({ author }) => {
      await write(author, rotateSigningKey);
      return { body: await presentKeys(db, clock.now()) };
    },
    'GET /api/admin/action-runs/:runId/attempts': async ({ params, caller }) => {
      await requireVisibleRun(db, caller, params.runId);
      const actions = await deliveriesOfRun(db, params.runId);
      const attempts = (await attemptsOfAll(db, [...actions.keys()])).map((attempt) => ({
        actionId: actions.get(attempt.deliveryId) ?? 0,
        attemptedAt: isoTime(attempt.attemptedAt),
        durationMs: attempt.durationMs,
        request: attempt.request,
        status: attempt.status,
        error: attempt.error,
      }));
      return { body: { attempts } };
    },
    'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/redeliver': async ({ params, author }) => {
      const { projectId, actionSetId, runId } = params;
      const body = await write(author, async (tx) => {
        await requireRun(tx.db, params);
        const answer = await redeliver(tx, projectId, { actionSetId, runId });
        if (answer.redelivered === 0)
          throw new Problem('ConflictError', `The run ${runId} has no failed call that can be sent again.`);
        return answer;
      });
      onCallQueued();
      return { body };
    },
    'POST /api/admin/projects/:projectId/actions/:actionSetId/redeliver': async ({ params, author }) => {
      const { projectId, actionSetId } = params;
      const body = await write(author, async (tx) => {
        await requireSet(tx.db, projectId, actionSetId);
        return redeliver(tx, projectId, { actionSetId });
      });
      onCallQueued();
      return { body };
    },
  };
}

interface Selection {
  readonly actionSetId: number;
  readonly runId?: number;
}

/**
 * Returns the runs in which calls failed, but no action. A run with a failed action stays failed when its calls are
 * sent again.
 */
async function failedByCalls(db: Db, runIds: readonly number[]): Promise<number[]> {
  const runs = await findRuns(db, runIds);
  return runs.filter(({ set }) => set.actions.every(({ state }) => state !== 'failed')).map(({ id }) => id);
}

async function presentKeys(db: Db, now: number) {
  const valid = (await signingKeys(db)).filter(({ until }) => until === null || until > now);
  return { keys: valid.map(presentKey) };
}
