import { touches } from '#features/platform/event-effects/index.ts';
import { findEnvironment } from '#features/projects/environments/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import { chunksOf } from '#kernel/lists.ts';
import type { Database } from '#storage/database.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { enterStage } from './store.ts';

const author: Author = { actor: systemActor, cause: {} };
/** Largest number of flags remembered for each stage. */
const maxRemembered = 50_000;
const batchSize = 500;

/**
 * Advances flags to the stages pre-live and live when they are evaluated. The tracker remembers flags by stage, so that
 * a report of known flags needs no query.
 */
export interface StageTracker {
  /** Reports flags evaluated in an environment. Resolves when their stages are stored; never rejects. */
  recordEvaluated(flags: readonly string[], environment: string): Promise<void>;
}

export function createStageTracker(database: Database, onError: (error: unknown) => void): StageTracker {
  const stored = { 'pre-live': new Set<string>(), live: new Set<string>() };
  const isEnvironmentEvent = (event: EventRow) => touches(event, 'environments');
  const types = new ReadThroughCache(
    database.feed,
    isEnvironmentEvent,
    async (name) => (await findEnvironment(database.db, name))?.type,
    1000,
  );
  const forgetAll = () => {
    for (const names of Object.values(stored)) names.clear();
  };
  database.feed.subscribe({
    events: (events) => {
      for (const event of events) {
        if (isEnvironmentEvent(event)) forgetAll();
        else if (event.feature_name !== null && touches(event, 'stages')) {
          for (const names of Object.values(stored)) names.delete(event.feature_name);
        }
      }
    },
    reset: forgetAll,
  });
  const storeStages = async (flags: readonly string[], environment: string) => {
    const type = await types.get(environment);
    if (type === undefined) return;
    const stage = type === 'production' ? 'live' : 'pre-live';
    const unknown = [...new Set(flags)].filter((name) => !stored[stage].has(name)).sort();
    for (const batch of chunksOf(unknown, batchSize)) {
      // Remember before the statement runs, so that an event that arrives meanwhile can remove the flag from the set.
      if (stored[stage].size + batch.length > maxRemembered) stored[stage].clear();
      for (const name of batch) stored[stage].add(name);
      try {
        await database.writeQuietly('lifecycle', author, (tx) => enterStage(tx, stage, batch));
      } catch (error) {
        for (const name of batch) stored[stage].delete(name);
        throw error;
      }
    }
  };
  return { recordEvaluated: (flags, environment) => storeStages(flags, environment).catch(onError) };
}
