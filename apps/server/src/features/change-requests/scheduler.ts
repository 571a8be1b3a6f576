import { systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tx.ts';
import { canOfActor } from './acting.ts';
import type { ChangeLimits } from './apply.ts';
import { suspend, whyNot } from './following.ts';
import { type ChangeRequest, recordOf } from './request.ts';
import { applyRequest, requireNoConflict } from './state-commands.ts';
import { loadRequests, nextScheduled } from './store.ts';
import * as store from './write-store.ts';

export interface Schedules {
  /** Applies what is due until nothing is; answers how many requests were looked at. For tests and commands. */
  runDue(): Promise<number>;
  /** Finishes the request in hand and begins no other. */
  stop(): Promise<void>;
}

/** A clock may be set, and a machine sleep: nothing waits longer than this for a look. */
const longestWaitMs = 60 * 1000;
const retryMs = 5000;

/**
 * Applies change requests at the time they are scheduled for. It sleeps until the next is due, and is woken by whatever schedules
 * one, here or in another process. Effect, events and state are one change, and changes run one at a time: however many
 * processes wake up for a request, and wherever one is killed, it is applied once.
 */
export async function startSchedules(
  database: Database,
  clock: Clock,
  limits: ChangeLimits,
  onTrouble: (error: unknown) => void,
): Promise<Schedules> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> = Promise.resolve(0);

  const sleep = async (atLeastMs: number): Promise<void> => {
    clearTimeout(timer);
    const next = await nextScheduled(database.db);
    clearTimeout(timer);
    if (next === undefined || stopped) return;
    const wait = Math.min(Math.max(next.at - clock.now(), atLeastMs), longestWaitMs);
    timer = setTimeout(() => void runDue().catch(onTrouble), wait);
  };
  const drain = async (): Promise<number> => {
    let ran = 0;
    let failed = false;
    while (!stopped && !failed) {
      const next = await nextScheduled(database.db);
      if (next === undefined || next.at > clock.now()) break;
      try {
        await runOne(database, limits, next.id);
        ran++;
      } catch (error) {
        onTrouble(error);
        failed = true;
      }
    }
    await sleep(failed ? retryMs : 1);
    return ran;
  };
  const runDue = (): Promise<number> => {
    running = running.then(drain, drain);
    return running;
  };
  database.feed.subscribe(async (events) => {
    if (events.some(({ type }) => type === 'change-request-scheduled')) await sleep(1);
  });
  await sleep(1);
  return {
    runDue,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      // A failure has been reported where it happened.
      await running.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}

/** Applies a request that is due, or notes why it cannot be. Rejects when it is to be tried again. */
async function runOne(database: Database, limits: ChangeLimits, id: number): Promise<void> {
  const [request] = await loadRequests(database.db, [id]);
  if (request?.schedule == null) return;
  const actor = request.schedule.by;
  const can = (await canOfActor(database.db, actor)) ?? (() => false);
  try {
    await database.write({ actor, cause: {}, can }, async (tx) => {
      const due = await stillDue(tx, id);
      if (due === undefined) return;
      const reason = await whyNot(tx.db, due);
      if (reason !== undefined) return suspend(tx, due, reason);
      await requireNoConflict(tx, due);
      await applyRequest(tx, limits, due);
      recordOf(tx, due, 'change-request-scheduled-application-success');
    });
  } catch (error) {
    if (error instanceof Problem && error.status >= 500) throw error;
    const reason =
      error instanceof Problem ? error.message : 'It failed for a reason that the log of the server tells.';
    await database.write({ actor: systemActor, cause: {} }, async (tx) => {
      const due = await stillDue(tx, id);
      if (due === undefined) return;
      await store.endSchedule(tx, id, 'failed', reason);
      recordOf(tx, due, 'change-request-scheduled-application-failure', { data: { reason } });
    });
    if (!(error instanceof Problem)) throw error;
  }
}

/** The request, unless another process has dealt with it, or somebody has thought better of it. */
async function stillDue(tx: Tx, id: number): Promise<ChangeRequest | undefined> {
  const [request] = await loadRequests(tx.db, [id]);
  const { schedule } = request ?? {};
  return schedule?.status === 'pending' && schedule.at <= tx.now ? request : undefined;
}
