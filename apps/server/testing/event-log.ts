import type { App } from '#app/app.ts';
import type { Cause } from '#kernel/actor.ts';
import type { NewEvent } from '#storage/tx.ts';
import { TestClock } from './clock.ts';
import { madeUp } from './event-schemas.ts';

/** Records events in one change by the given user, or with the given cause, without changing anything else. */
export async function recordEvents(
  app: App,
  events: readonly NewEvent[],
  userId = 900,
  cause: Cause = {},
): Promise<void> {
  const author = { actor: { userId, name: `user-${userId}@example.com` }, cause: { requestId: madeUp, ...cause } };
  await app.database.write(author, async (tx) => {
    for (const event of events) tx.record(event);
  });
}

/** The properties of the seeded log. */
export const seeded = {
  projects: 20,
  flags: 5000,
  users: 50,
  /** One event in this many belongs to no project. */
  withoutProject: 16,
  /** A word in the data of every thousandth event. */
  rareWord: 'zeppelin',
  /** A word in the data of nearly every event. */
  commonWord: 'rollout',
} as const;

const batch = 5000;
const spanMs = 365 * 24 * 60 * 60 * 1000;

/** Returns a clock set one year back, so that the events seeded afterwards end about now. */
export function clockAYearAgo(): TestClock {
  const clock = new TestClock();
  clock.set(-spanMs);
  return clock;
}

/**
 * Records `count` events, spread over a year of the clock. The n-th event (from 0) belongs to the flag `flag-<n mod
 * 5000>` and the project `project-<n mod 20>`.
 */
export async function seedEvents(app: App, clock: TestClock, count: number): Promise<void> {
  const batches = Math.ceil(count / batch);
  for (let b = 0; b < batches; b++) {
    const from = b * batch;
    const size = Math.min(batch, count - from);
    const events = Array.from({ length: size }, (_, index) => eventOf(from + index));
    await recordEvents(app, events, 1000 + (b % seeded.users));
    clock.advance(Math.floor(spanMs / batches));
  }
}

const types = ['feature-strategy-update', 'feature-metadata-updated', 'feature-strategy-add'] as const;

function eventOf(n: number): NewEvent {
  if (n % seeded.withoutProject === 0) return { type: 'api-token-created', data: { tokenName: `token-${n}` } };
  const flag = { project: `project-${n % seeded.projects}`, featureName: `flag-${n % seeded.flags}` };
  if (n % 4 === 1) return { type: 'feature-environment-enabled', ...flag, environment: 'production' };
  return {
    type: types[n % types.length] ?? 'feature-strategy-add',
    ...flag,
    environment: n % 2 === 0 ? 'development' : 'production',
    data: strategy(n, 50),
    preData: strategy(n, 25),
  };
}

function strategy(n: number, percent: number): object {
  return {
    id: `${(n * 2654435761) >>> 0}-${n}`,
    name: 'flexibleRollout',
    title: n % 1000 === 7 ? `the ${seeded.rareWord} of ${n}` : `${seeded.commonWord} to group ${n % 97}`,
    parameters: { rollout: String(percent), stickiness: 'default', groupId: `flag-${n % seeded.flags}` },
    constraints: [{ contextName: 'country', operator: 'IN', values: ['se', 'no', 'dk'] }],
  };
}
