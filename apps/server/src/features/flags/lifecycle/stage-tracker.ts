import { type Author, systemActor } from '../../../kernel/actor.ts';
import type { Database } from '../../../storage/database.ts';
import { ReadThroughCache } from '../../../storage/read-through-cache.ts';
import { findEnvironment } from '../../environments/index.ts';
import { enterStage } from './store.ts';

const author: Author = { actor: systemActor, cause: {} };
/** Largest number of flags remembered for each stage. */
const maxNoted = 50_000;
const rowsAtOnce = 500;

/** Events after which the stage of a flag has to be stored again. */
const forgotten = /^feature-(created|deleted|revived|uncompleted)$/;

/**
 * Advances flags to the stages pre-live and live when they are evaluated. The tracker remembers flags by stage, so that
 * a report of known flags needs no query.
 */
export interface StageTracker {
  /** Reports flags evaluated in an environment. Resolves when their stages are stored; never rejects. */
  seen(flags: readonly string[], environment: string): Promise<void>;
}

export function createStageTracker(database: Database, onError: (error: unknown) => void): StageTracker {
  const noted = { 'pre-live': new Set<string>(), live: new Set<string>() };
  const ofEnvironments = ({ type }: { readonly type: string }) => type.startsWith('environment-');
  const types = new ReadThroughCache(
    database.feed,
    ofEnvironments,
    async (name) => (await findEnvironment(database.db, name))?.type,
    1000,
  );
  database.feed.subscribe((events) => {
    for (const event of events) {
      if (ofEnvironments(event)) for (const names of Object.values(noted)) names.clear();
      else if (event.feature_name !== null && forgotten.test(event.type)) {
        for (const names of Object.values(noted)) names.delete(event.feature_name);
      }
    }
  });
  const note = async (flags: readonly string[], environment: string) => {
    const type = await types.get(environment);
    if (type === undefined) return;
    const stage = type === 'production' ? 'live' : 'pre-live';
    const fresh = [...new Set(flags)].filter((name) => !noted[stage].has(name)).sort();
    for (let at = 0; at < fresh.length; at += rowsAtOnce) {
      const some = fresh.slice(at, at + rowsAtOnce);
      // Remember before the statement runs, so that an event that arrives meanwhile can remove the flag from the set.
      if (noted[stage].size + some.length > maxNoted) noted[stage].clear();
      for (const name of some) noted[stage].add(name);
      try {
        await database.writeQuietly('lifecycle', author, (tx) => enterStage(tx, stage, some));
      } catch (error) {
        for (const name of some) noted[stage].delete(name);
        throw error;
      }
    }
  };
  return { seen: (flags, environment) => note(flags, environment).catch(onError) };
}
