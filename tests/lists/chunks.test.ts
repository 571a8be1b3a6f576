import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listUnevenValues } from '../../apps/server/src/app/uneven-values.ts';
import { insertMoved } from '../../apps/server/src/features/automation/incidents/moved-store.ts';
import { heldUnder } from '../../apps/server/src/features/flags/holds/store.ts';
import { setSeen } from '../../apps/server/src/features/people/api-tokens/store.ts';
import { limitChunks } from '../../apps/server/src/kernel/lists.ts';
import { type ActionPlace, givenRunHold, givenSet, runsOf, signal } from '../../apps/server/testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '../../apps/server/testing/alerts.ts';
import { author } from '../../apps/server/testing/database.ts';
import {
  addStrategy,
  type FlagEnvironmentParams,
  freshName,
  givenArchived,
  givenFlag,
  givenProject,
} from '../../apps/server/testing/flags.ts';
import { metricNamed, reportMetrics } from '../../apps/server/testing/impact-metrics.ts';
import { givenPlan } from '../../apps/server/testing/release-plans.ts';
import { moreThan, setSafeguard } from '../../apps/server/testing/safeguards.ts';
import { eventsAfter, lastEventId } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenSdk, givenToken } from '../../apps/server/testing/tokens.ts';

// Statements about many rows take them in chunks. Here a chunk has two rows, and each test five, so that a statement
// that stops behind its first chunk, or takes it again, is noticed.

const server = useServer({ signalEndpointsLimit: 100 });
beforeAll(() => limitChunks(2));
afterAll(() => limitChunks(Number.POSITIVE_INFINITY));

const environment = 'development';
const letters = ['a', 'b', 'c', 'd', 'e'];
const apply = (state: object, more: object = {}) =>
  server().admin.call('POST /api/admin/state/apply', { body: { state: { version: 1, ...state }, ...more } });
const namesOf = (flags: readonly { readonly featureName: string }[]) => flags.map(({ featureName }) => featureName);

/** Creates five flags in a project of their own, with a tag. */
async function givenFlags(more: object = {}): Promise<FlagEnvironmentParams[]> {
  const projectId = await givenProject(server());
  const flags: FlagEnvironmentParams[] = [];
  for (const letter of letters)
    flags.push({ ...(await givenFlag(server(), { name: freshName(letter), ...more }, projectId)), environment });
  return flags;
}

const stateOf = async (projectId: string) =>
  (await server().admin.call('GET /api/admin/state', { query: { projects: projectId } })).json.projects[projectId]
    .flags;
const inDevelopment = (flags: readonly FlagEnvironmentParams[], more: object) => ({
  projects: {
    [flags[0]?.projectId ?? '']: {
      flags: Object.fromEntries(namesOf(flags).map((name) => [name, { environments: { [environment]: more } }])),
    },
  },
});

const alerts = (status: string, names: readonly string[]) => names.map((fingerprint) => ({ status, fingerprint }));
const inGroup = (status: string, groupKey: string, names: readonly string[]) => ({
  ...{ status, receiver: 'r', groupLabels: { alertname: 'x' }, groupKey },
  alerts: alerts(status, names),
});
const givenGroupSet = async () => {
  const place = await givenAlertPlace(server());
  const match = { forEach: null, payload: { 'normalized.state': is('firing') } };
  return givenSet(
    server(),
    holdingAlerts(place, { match: { ...match, release: { 'normalized.state': is('resolved') } } }),
    place,
  );
};
const held = async ({ flag }: ActionPlace) =>
  (await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', { params: flag })).json
    .leases.length as number;

/** The tests, and the files whose chunks they cover. */
const cases: Readonly<Record<string, { readonly covers: readonly string[]; readonly test: () => Promise<void> }>> = {
  'archived flags of a state are each revived and marked': {
    covers: ['flags/definitions/write.ts', 'flags/feature/store.ts'],
    test: async () => {
      const flags = await givenFlags();
      const projectId = flags[0]?.projectId ?? '';
      const archived = { params: { projectId }, body: { features: namesOf(flags) } };
      await server().admin.call('POST /api/admin/projects/:projectId/archive', archived);
      const marked = Object.fromEntries(namesOf(flags).map((name) => [name, { stale: true }]));
      await apply({ projects: { [projectId]: { flags: marked } } });
      const found: { stale?: boolean }[] = Object.values(await stateOf(projectId));
      expect(found.map(({ stale }) => stale)).toEqual(letters.map(() => true));
    },
  },
  'acknowledgements of many holds are each given, seen and withdrawn': {
    covers: ['integrations/acknowledgements/store.ts'],
    test: async () => {
      const flags: FlagEnvironmentParams[] = [];
      for (const _ of letters) flags.push(await givenRunHold(server()));
      const { leases } = (await server().admin.call('GET /api/admin/leases')).json;
      const mine = leases.filter(({ featureName }: { featureName: string }) => namesOf(flags).includes(featureName));
      const subjects: string[] = mine.map(({ id }: { id: number }) => `hold:${id}`);
      expect(subjects).toHaveLength(flags.length);
      const set = (acknowledged: boolean) =>
        server().admin.call('POST /api/admin/acknowledgements', { body: { subjects, acknowledged } });
      const shown = (await set(true)).json.acknowledgements.map(({ subject }: { subject: string }) => subject);
      expect(shown.toSorted()).toEqual(subjects.toSorted());
      const before = await lastEventId(server());
      await set(true);
      expect(await eventsAfter(server(), before)).toEqual([]);
      expect((await set(false)).json.acknowledgements).toEqual([]);
    },
  },
  'the state lists the strategies, plans and safeguards of all flags, and the same state changes nothing': {
    covers: ['flags/definitions/load.ts', 'as-code/state/flag-plans.ts', 'as-code/state/safeguards.ts'],
    test: async () => {
      const flags = await givenFlags();
      const counter = metricNamed('errors_total');
      await reportMetrics(server(), [{ name: counter, samples: [{ value: 1 }] }], environment);
      for (const flag of flags) {
        await givenPlan(server(), [{ name: 'All', strategies: [{ name: 'default' }] }], flag);
        await setSafeguard(server(), flag, moreThan(10, `unleash_counter_${counter}`));
      }
      const project = flags[0]?.projectId ?? '';
      const state = await stateOf(project);
      expect(Object.keys(state)).toEqual(namesOf(flags));
      for (const name of namesOf(flags))
        expect(state[name].environments[environment]).toMatchObject({
          releasePlan: { milestones: [{ name: 'All' }] },
          safeguards: [{ triggerCondition: { threshold: 10 } }],
        });
      expect((await apply({ projects: { [project]: { flags: state } } })).json).toMatchObject({ changes: [] });
    },
  },
  'applying a state switches all flags on, and removes the strategies of all': {
    covers: ['flags/states/store.ts', 'flags/strategies/store.ts', 'flags/reading/client-features.ts'],
    test: async () => {
      const flags = await givenFlags();
      for (const flag of flags) {
        await addStrategy(server(), flag, { name: 'flexibleRollout' });
        await addStrategy(server(), flag, { name: 'userWithId', parameters: { userIds: '1' } });
      }
      const sdk = await givenSdk(server(), { projects: [flags[0]?.projectId ?? ''], environment });
      const served = async () => (await sdk.call('GET /api/client/features')).json.features;
      expect((await served()).map(({ enabled }: { enabled: boolean }) => enabled)).toEqual(letters.map(() => false));
      const strategies = [{ name: 'default' }];
      const reply = await apply(inDevelopment(flags, { enabled: true, strategies }));
      expect(reply.status, reply.text).toBe(200);
      expect(await served()).toMatchObject(
        namesOf(flags).map((name) => ({ name, enabled: true, strategies: [{ name: 'default' }] })),
      );
      for (const feature of await served()) expect(feature.strategies).toHaveLength(1);
    },
  },
  'all flags that people switched off are named, until a state says that they are off': {
    covers: ['as-code/state/switched-off.ts'],
    test: async () => {
      const flags = await givenFlags();
      const at = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
      for (const params of flags)
        for (const how of ['on', 'off'] as const)
          expect((await server().admin.call(`POST ${at}/${how}`, { params })).status).toBe(200);
      const switchedOff = async () => {
        const body = { state: { version: 1, ...inDevelopment(flags, { enabled: true }) } };
        const { json } = await server().admin.call('POST /api/admin/state/plan', { body });
        return json.switchedOff.map(({ featureName }: { featureName: string }) => featureName);
      };
      expect(await switchedOff()).toEqual(namesOf(flags));
      expect((await apply(inDevelopment(flags, { enabled: false }))).status).toBe(200);
      expect(await switchedOff()).toEqual([]);
    },
  },
  'a search finds all flags, in order': {
    covers: ['flags/reading/queries.ts'],
    test: async () => {
      const flags = await givenFlags();
      const query = { project: `IS:${flags[0]?.projectId}`, sortBy: 'name', sortOrder: 'asc' };
      const { json } = await server().admin.call('GET /api/admin/search/features', { query });
      expect(json.features.map(({ name }: { name: string }) => name)).toEqual(namesOf(flags));
    },
  },
  'dependencies between flags of other chunks are checked': {
    covers: ['flags/definitions/load.ts'],
    test: async () => {
      const flags = await givenFlags();
      const [first, , , , last] = namesOf(flags);
      const params = { projectId: flags[0]?.projectId ?? '', featureName: last ?? '' };
      const route = 'POST /api/admin/projects/:projectId/features/:featureName/dependencies';
      expect((await server().admin.call(route, { params, body: { feature: first } })).status).toBe(200);
      const named = Object.fromEntries(namesOf(flags).map((name) => [name, {}]));
      const state = { projects: { [params.projectId]: { flags: { ...named, [first ?? '']: { dependsOn: last } } } } };
      expect((await apply(state)).status).toBe(400);
    },
  },
  'removing a tag untags all flags': {
    covers: ['flags/flags/flag-tags/tagged-flags.ts'],
    test: async () => {
      const value = freshName('tag');
      const flags = await givenFlags({ tags: [{ type: 'simple', value }] });
      const before = await lastEventId(server());
      const params = { type: 'simple', value };
      expect((await server().admin.call('DELETE /api/admin/tags/:type/:value', { params })).status).toBe(200);
      const untagged = (await eventsAfter(server(), before)).filter(({ type }) => type === 'feature-untagged');
      expect(untagged.map(({ featureName }) => featureName).sort()).toEqual(namesOf(flags));
    },
  },
  'all flags that are evaluated enter the next stage': {
    covers: ['flags/lifecycle/stage-tracker.ts'],
    test: async () => {
      const flags = await givenFlags();
      const sdk = await givenSdk(server(), { environment });
      const toggles = Object.fromEntries(namesOf(flags).map((name) => [name, { yes: 1, no: 0 }]));
      const now = new Date(server().clock.now()).toISOString();
      const body = { appName: 'a', instanceId: 'i', bucket: { start: now, stop: now, toggles } };
      expect((await sdk.call('POST /api/client/metrics', { body })).status).toBe(202);
      await server().app.service.usage.flush();
      for (const params of flags) {
        const route = 'GET /api/admin/projects/:projectId/features/:featureName/lifecycle';
        const { json } = await server().admin.call(route, { params });
        expect(json.map(({ stage }: { stage: string }) => stage)).toEqual(['initial', 'pre-live']);
      }
    },
  },
  'deleting an archived project deletes all its flags': {
    covers: ['flags/flags/project-flags.ts'],
    test: async () => {
      const projectId = await givenProject(server());
      const flags = [];
      for (const _ of letters) flags.push(await givenArchived(server(), projectId));
      const params = { projectId };
      expect((await server().admin.call('POST /api/admin/projects/archive/:projectId', { params })).status).toBe(200);
      expect((await server().admin.call('DELETE /api/admin/projects/:projectId', { params })).status).toBe(200);
      const { db } = server().app.database;
      const left = await db.selectFrom('features').select('name').where('name', 'in', namesOf(flags)).execute();
      expect(left).toEqual([]);
    },
  },
  'the last use of all tokens is stored': {
    covers: ['people/api-tokens/store.ts'],
    test: async () => {
      const ids: number[] = [];
      for (const _ of letters) ids.push((await givenToken(server())).id);
      const { database } = server().app;
      await database.writeQuietly('last seen', author, (tx) => setSeen(tx, ids, 7));
      const rows = await database.db.selectFrom('api_tokens').select('seen_at').where('id', 'in', ids).execute();
      expect(rows).toEqual(letters.map(() => ({ seen_at: 7 })));
    },
  },
  'values that SDKs read differently are listed of all flags': {
    covers: ['../app/uneven-values.ts'],
    test: async () => {
      const flags = await givenFlags();
      for (const flag of flags) await addStrategy(server(), flag, { name: 'flexibleRollout' });
      const { database } = server().app;
      const parameters = JSON.stringify({ rollout: '33.3', stickiness: 'default', groupId: 'g' });
      await database.write(author, async (tx) => {
        const odd = tx.db.updateTable('feature_strategies').set({ parameters });
        await odd.where('feature_name', 'in', namesOf(flags)).execute();
        tx.record({ type: 'features-imported', project: flags[0]?.projectId ?? '', environment });
      });
      const lines = await listUnevenValues(database.db);
      for (const name of namesOf(flags)) expect(lines.filter((line) => line.includes(` ${name} `))).toHaveLength(1);
    },
  },
  'the ends of all alerts of a signal are kept, and their late reports hold nothing': {
    covers: ['automation/actions/runs/deciding/late-alerts.ts'],
    test: async () => {
      const place = await givenAlertPlace(server());
      const startsAt = '2026-11-23T03:00:00.000Z';
      const of = (status: string) => ({ alerts: alerts(status, letters).map((each) => ({ ...each, startsAt })) });
      const set = await givenSet(server(), holdingAlerts(place), place);
      await signal(server(), place, of('resolved'));
      await signal(server(), place, of('firing'));
      expect(await held(place)).toBe(0);
      const late = (await runsOf(server(), set)).filter(({ reason }: { reason?: string }) =>
        /^Late/.test(reason ?? ''),
      );
      expect(late).toHaveLength(letters.length);
    },
  },
  'all alerts of a group keep it firing, and the end of all ends it': {
    covers: ['automation/actions/runs/deciding/alert-groups.ts'],
    test: async () => {
      const set = await givenGroupSet();
      await signal(server(), set, inGroup('firing', 'one', letters));
      await signal(server(), set, inGroup('resolved', 'two', ['x']));
      const [run] = await runsOf(server(), set);
      expect(run.reason).toContain('alerts of the group fire: 5.');
      await signal(server(), set, inGroup('resolved', 'two', letters));
      expect(await held(set)).toBe(0);
    },
  },
  'all alerts that a report of a group lacks have ended': {
    covers: ['automation/actions/runs/deciding/alert-groups.ts'],
    test: async () => {
      const set = await givenGroupSet();
      await signal(server(), set, inGroup('firing', 'one', letters));
      await signal(server(), set, inGroup('resolved', 'one', ['x']));
      expect(await held(set)).toBe(0);
    },
  },
  'the flags that are held under keys are found for all keys': {
    covers: ['flags/holds/store.ts'],
    test: async () => {
      const { db } = server().app.database;
      const place = await givenAlertPlace(server());
      const key = '{{item.fingerprint}}';
      await givenSet(server(), holdingAlerts(place, { match: { release: null }, params: { key } }), place);
      const names = letters.map((letter) => freshName(`alert-${letter}`));
      await signal(server(), place, { alerts: alerts('firing', names) });
      expect((await heldUnder(db, names)).map((hold) => hold.key).sort()).toEqual(names.toSorted());
    },
  },
  'alerts without effect are listed with the outcome of the run of each': {
    covers: ['automation/actions/history/runs-of-signals.ts'],
    test: async () => {
      const place = await givenAlertPlace(server());
      await givenSet(server(), holdingAlerts(place), place);
      const route =
        'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
      await server().admin.call(route, { params: place.flag, body: { reason: 'by hand' } });
      await signal(server(), place, { alerts: alerts('firing', letters) });
      await server().app.service.alerts.settled();
      const { alertsWithoutEffect } = (await server().admin.call('GET /api/admin/now')).json;
      const reasons = alertsWithoutEffect.flatMap((alert: { signalEndpointId: number; reason: string }) =>
        alert.signalEndpointId === place.endpoint.id ? [alert.reason] : [],
      );
      expect(reasons).toEqual(letters.map(() => expect.stringContaining('keeps automation off')));
    },
  },
  'how many contexts events moved is stored for all events': {
    covers: ['automation/incidents/moved-store.ts'],
    test: async () => {
      const { database } = server().app;
      await givenFlags();
      const last = await lastEventId(server());
      const rows = letters.map((_, index) => ({ event_id: last - index, contexts: 10, moved: index }));
      await database.writeQuietly('incidents', author, (tx) => insertMoved(tx, rows));
      const ids = rows.map(({ event_id: id }) => id);
      const stored = database.db.selectFrom('moved_contexts').selectAll().where('event_id', 'in', ids);
      expect(await stored.orderBy('moved').execute()).toEqual(rows);
    },
  },
};

it.each(Object.entries(cases))('%s', (_name, { test }) => test());

it('each file with statements in chunks is covered', () => {
  const features = new URL('../../apps/server/src/features/', import.meta.url);
  const files = globSync(['**/*.ts', '../app/*.ts'], { cwd: features, exclude: ['**/*.test.ts'] });
  const chunked = files.filter((file) => readFileSync(new URL(file, features), 'utf8').includes(' of chunksOf('));
  const covered = new Set(Object.values(cases).flatMap(({ covers }) => covers));
  expect([...covered].sort()).toEqual(chunked.sort());
});
