import { expect, it } from 'vitest';
import { MovedUsers } from '#features/automation/incidents/index.ts';
import { createImpactRecorder } from '#features/metrics/impact-metrics/index.ts';
import { EventCounter } from '#features/people/security-events/event-counter.ts';
import { allProjects } from '#features/people/token-scopes/index.ts';
import { RecentContexts } from '#features/sdks/recent-contexts/index.ts';
import { EvaluationBudgets, FeatureQuery, FlagSetCache, SnapshotReader } from '#features/sdks/sdk/index.ts';
import { listRefusals, Refusals } from '#features/signals/signals/log/refusals.ts';
import type { SdkCaller } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import { firstOf } from '#kernel/lists.ts';
import type { Database } from '#storage/database.ts';
import { givenEnabled } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint } from '#testing/signals.ts';

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
  'users that automation moved': async (database, onError) => {
    const { snapshot } = await SnapshotReader.follow(server().app.database);
    const recentContexts = new RecentContexts(server().clock, 1);
    recentContexts.add(sdkCaller, { userId: 'anna' });
    const budgets = new EvaluationBudgets();
    const parts = { database, flagSets: new FlagSetCache(snapshot), recentContexts, onError };
    const moved = new MovedUsers({ ...parts, clock: server().clock, random: Math.random, budgets });
    await Promise.all([1, 2, 3].map(() => givenEnabled(server())));
    const { db } = database;
    const enabled = db.selectFrom('events').selectAll().where('type', '=', 'feature-environment-enabled');
    const events = await enabled.orderBy('id', 'desc').limit(3).execute();
    const rows = db.selectFrom('moved_contexts').select((eb) => eb.fn.countAll<number>().as('n'));
    return {
      add: () => {
        const event = firstOf(events.splice(0, 1));
        const flag = snapshot.flag(event.feature_name ?? '', new FeatureQuery(sdkCaller, {}, false));
        const known = new Map(flag === undefined ? [] : [[flag.feature.name, flag]]);
        const held = { ...event, type: 'feature-effective-state-changed', data: '{"lease":{"heldBy":{"kind":"run"}}}' };
        moved.note({ events: [held], before: known, after: known });
      },
      flush: () => moved.settled(),
      count: async () => Number((await rows.executeTakeFirstOrThrow()).n),
    };
  },
};

const sdkCaller: SdkCaller = {
  type: 'frontend',
  tokenId: null,
  tokenName: '',
  projects: ['*'],
  environment: 'development',
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
