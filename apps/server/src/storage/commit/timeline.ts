import type { Kysely } from 'kysely';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { renewEpoch } from './begin-epoch.ts';
import { runChange, type Writer } from './write.ts';

/** The timelines of a database server that was promoted or recovered while no process looked at the event log. */
export interface Recovery {
  readonly before: string;
  readonly now: string;
}

const author: Author = { actor: systemActor, cause: {} };

/**
 * Begins a new epoch of the log when the database server is on another timeline than when a process last looked: the
 * log may lack events that readers know. Returns the timelines then; undefined otherwise, and when the engine has no
 * timelines or does not show them.
 */
export async function noticeRecovery(engine: Engine, clock: Clock): Promise<Recovery | undefined> {
  const now = await engine.timeline();
  if (now === undefined || (await storedTimeline(engine.read)) === now) return undefined;
  const { value } = await engine.transact('changes', (transaction) =>
    runChange(
      transaction,
      author,
      clock.now(),
      async (tx) => {
        // Another process that starts at the same time may have begun the epoch.
        const before = await storedTimeline(tx.db);
        if (before === now) return undefined;
        await storeTimeline(tx.db, now);
        if (before === null) return undefined;
        await renewEpoch(tx);
        return { before, now };
      },
      'quiet',
    ),
  );
  return value;
}

/**
 * Returns a function that stores the timeline of the database server when it has changed. To be called when the caches
 * have read the log: a log that went back has its new epoch then.
 */
export function timelineKeeper(engine: Engine, { writeQuietly }: Pick<Writer, 'writeQuietly'>): () => Promise<void> {
  return async () => {
    const now = await engine.timeline();
    if (now === undefined || (await storedTimeline(engine.read)) === now) return;
    await writeQuietly('log epoch', author, (tx) => storeTimeline(tx.db, now));
  };
}

async function storedTimeline(db: Pick<Kysely<Tables>, 'selectFrom'>): Promise<string | null> {
  const row = await db.selectFrom('counters').select('timeline').where('name', '=', 'event').executeTakeFirst();
  return row?.timeline ?? null;
}

async function storeTimeline(db: Kysely<Tables>, timeline: string): Promise<void> {
  await db.updateTable('counters').set({ timeline }).where('name', '=', 'event').execute();
}
