import type { Hold } from '#features/flags/held-state/index.ts';
import { holdsIn, nextStepDown, type Pace, type ReadStopped, stepDownHold } from '#features/flags/holds/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import { createTaskScheduler } from '#jobs/scheduler.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { planIn } from './find-plan.ts';
import { type HeldAt, paceOf, toHeld } from './hold-at.ts';

const author: Author = { actor: systemActor, cause: {} };
const minuteMs = 60_000;

/**
 * Holds flags further down whose alert still fires when the time of their plan for that is over. When several processes
 * use one database, only one of them does each step. Safeguards do so themselves, when they see the value.
 */
export function createStepDowns(
  database: Database,
  clock: Clock,
  readStopped: ReadStopped,
  onError: (error: unknown) => void,
) {
  return createTaskScheduler({
    database,
    clock,
    next: async () => nextStepDown(database.db, await readStopped(database.db, clock.now())),
    run: ({ id, ...place }) =>
      database.write(author, async (tx) => {
        const hold = (await holdsIn(tx.db, place)).find((candidate) => candidate.id === id);
        if (hold === undefined || !isDue(hold, tx.now) || (await readStopped(tx.db, tx.now))(place)) return;
        await stepDown(tx, hold);
      }),
    sets: (event) => touches(event, 'holds') || touches(event, 'automation-stops'),
    onError,
  });
}

/** Returns whether a hold is to go further down, because it did not help in the time that its plan has for that. */
export function isDue({ stepsDownAt }: Hold, now: number): boolean {
  return stepsDownAt !== null && stepsDownAt <= now;
}

async function stepDown(tx: Tx, hold: Hold): Promise<void> {
  const step = await stepBelow(tx.db, hold, tx.now);
  const minutes = Math.round((tx.now - hold.placedAt) / minuteMs);
  const before = (hold.reason ?? '').replace(notEnded, '');
  const reason = `${before === '' ? '' : `${before} `}The alert has not ended after ${minutes} minutes.`;
  await stepDownHold(tx, hold, { ...step, reason });
}

/** The end of the reason after a step before. */
const notEnded = / ?The alert has not ended after \d+ minutes\.$/;

/**
 * Returns one milestone below that at which a flag is held; off below the first, or without the plan. `windowMs` is the
 * time range of a safeguard's metric, for which the next step waits at least.
 */
export async function stepBelow(
  db: Db,
  { featureName, environment, milestone: held }: Hold,
  now: number,
  windowMs = 0,
): Promise<Exclude<HeldAt, { readonly nothingToHold: string }> & { readonly pace: Pace }> {
  const plan = await planIn(db, { featureName, environment });
  if (plan === undefined) return { effect: 'off', pace: { stepsDownAt: null, restsUntil: now } };
  const below = plan.milestones[plan.milestones.findIndex(({ id }) => id === held?.id) - 1];
  const pace = paceOf(plan, now, { windowMs, isOff: below === undefined });
  return below === undefined ? { effect: 'off', pace } : { effect: 'milestone', milestone: toHeld(plan, below), pace };
}
