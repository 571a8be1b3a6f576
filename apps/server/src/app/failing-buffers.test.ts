import { expect, it } from 'vitest';
import { useServer } from '../../testing/server.ts';
import { givenEndpoint } from '../../testing/signals.ts';
import { createImpactRecorder } from '../features/impact-metrics/index.ts';
import { EventCounter } from '../features/security-events/event-counter.ts';
import { listRefusals, Refusals } from '../features/signals/refusals.ts';
import { allProjects } from '../features/token-scopes/index.ts';
import { Problem } from '../kernel/errors.ts';
import type { Database } from '../storage/database.ts';

// Buffers that are written behind keep what they hold while the database is unavailable, and add what comes meanwhile.

const server = useServer();

interface Buffer {
  /** Adds one to a count. */
  readonly add: () => void;
  /** Writes what is buffered. Never rejects. */
  readonly flush: () => Promise<void>;
  readonly count: () => Promise<number>;
}

type Create = (database: Database, onError: (error: unknown) => void) => Promise<Buffer>;

const buffers: Readonly<Record<string, Create>> = {
  'impact metrics': async (database, onError) => {
    const recorder = createImpactRecorder(database, server().clock, 100, onError);
    const sample = { name: 'kept', help: '', type: 'counter' as const, samples: [{ labels: {}, value: 1 }] };
    const sender = { environment: 'development', appName: 'a', origin: 'sdk', scope: allProjects } as const;
    const samples = database.db.selectFrom('impact_samples').select((eb) => eb.fn.sum<number>('value').as('sum'));
    return {
      add: () => recorder.record([sample], sender),
      flush: () => recorder.flush(),
      count: async () => Number((await samples.executeTakeFirstOrThrow()).sum),
    };
  },
  'refused signals': async (database, onError) => {
    const { id } = await givenEndpoint(server());
    const refusals = new Refusals(database, server().clock, onError, () => undefined);
    return {
      add: () => refusals.count({ endpointId: id, tokenId: null, reason: 'invalid body', address: '' }),
      flush: () => refusals.flush(),
      count: async () => (await listRefusals(database.db, id)).reduce((sum, { count }) => sum + count, 0),
    };
  },
  'counted refusals of requests': async (database, onError) => {
    let recorded = 0;
    const counter = new EventCounter<string>({
      clock: server().clock,
      firstWindowMs: 600_000,
      onError,
      record: (counts) =>
        database.writeQuietly('jobs', { actor: { userId: 1, name: 'x' }, cause: {} }, async () => {
          for (const { attempts } of counts) recorded += attempts;
        }),
    });
    return {
      add: () => counter.add({ key: 'a', subject: 'a', address: '' }),
      flush: () => counter.flush(),
      count: async () => recorded,
    };
  },
};

it.each(Object.entries(buffers))('%s are kept while the database is unavailable', async (_name, create) => {
  const { database } = server().app;
  const away = new Problem('ServiceUnavailableError', 'away');
  const errors: unknown[] = [];
  let isAway = true;
  const writeQuietly: Database['writeQuietly'] = (...write) =>
    isAway ? Promise.reject(away) : database.writeQuietly(...write);
  const { add, flush, count } = await create({ ...database, writeQuietly }, (error) => errors.push(error));
  add();
  add();
  await flush();
  expect(errors).toEqual([away]);
  add();
  isAway = false;
  await flush();
  expect(await count()).toBe(3);
  await flush();
  expect(await count()).toBe(3);
});
