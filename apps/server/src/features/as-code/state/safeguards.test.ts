import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import { type FlagEnvironmentParams, freshName, givenEnabled, givenProject } from '#testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, passMinutes, planOf, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const memberRole = 5;
const milestones = [rolloutTo(10, 60), rolloutTo(100)];

async function pull(projects: string) {
  return (await server().admin.call('GET /api/admin/state', { query: { projects } })).json;
}

const plan = (state: object, client = server().admin) => client.call('POST /api/admin/state/plan', { body: { state } });
const apply = (state: object, client = server().admin) =>
  client.call('POST /api/admin/state/apply', { body: { state } });

/** Reports a counter in development, and returns its name. */
async function givenMetric(value = 0): Promise<string> {
  const name = metricNamed('errors_total');
  await reportMetrics(server(), [{ name, samples: [{ value }] }], 'development');
  return `unleash_counter_${name}`;
}

/** Creates a flag with a release plan in a new project, with one safeguard of the flag and one of the plan. */
async function given() {
  const [ofFlag, ofPlan] = [await givenMetric(), await givenMetric()];
  const flag = await givenEnabled(server(), await givenProject(server()));
  const { params } = await givenPlan(server(), milestones, flag);
  await setSafeguard(server(), flag, moreThan(10, ofFlag));
  await setSafeguard(server(), params, moreThan(20, ofPlan, { labelSelectors: { environment: ['development'] } }));
  return { params, ofFlag, ofPlan };
}

/** Returns the environment of a flag in a state. */
function inState(state: ReturnType<typeof JSON.parse>, { projectId, featureName, environment }: FlagEnvironmentParams) {
  return state.projects[projectId].flags[featureName].environments[environment];
}

/** Returns the action and threshold of each safeguard of a place, such as `disableFeatureEnvironment 10`. */
async function actionsOf(params: FlagEnvironmentParams): Promise<string[]> {
  const safeguards: { action: { type: string }; triggerCondition: { threshold: number } }[] = await safeguardsOf(
    server(),
    params,
  );
  return safeguards.map(({ action, triggerCondition }) => `${action.type} ${triggerCondition.threshold}`);
}

const typesAfter = async (id: number) => (await eventsAfter(server(), id)).map(({ type }) => type);

describe('safeguards in a state', () => {
  it('are those of the flag and those of its release plan, without ids and status', async () => {
    const { params, ofFlag, ofPlan } = await given();
    const state = await pull(params.projectId);
    const pulled = inState(state, params);
    expect(pulled.safeguards).toEqual([moreThan(10, ofFlag)]);
    expect(pulled.releasePlan.safeguards).toEqual([moreThan(20, ofPlan)]);
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });

    const [project, copy] = [await givenProject(server()), freshName('flag')];
    const flags = { [copy]: state.projects[params.projectId].flags[params.featureName] };
    const copying = { version: 1, projects: { [project]: { flags } } };
    expect((await apply(copying)).json.changes.slice(-2)).toMatchObject([
      { type: 'safeguard-changed', kind: 'flag', environment: 'development', item: `${ofFlag} > 10` },
      { type: 'safeguard-changed', environment: 'development', item: `${ofPlan} > 20 (release plan)` },
    ]);
    const copied = { projectId: project, featureName: copy, environment: 'development' };
    expect(inState(await pull(project), copied)).toEqual(pulled);
    const before = await lastEventId(server());
    expect((await apply(copying)).json).toEqual({ changes: [] });
    expect(await lastEventId(server())).toBe(before);
  });

  it('hold the flag of a plan as they did, and never that of a flag without a plan', async () => {
    const { params, ofPlan, ofFlag } = await given();
    const holding = { ...moreThan(20, ofPlan), holdAt: 'first' };
    await setSafeguard(server(), params, holding);
    const state = await pull(params.projectId);
    const pulled = inState(state, params);
    expect(pulled.releasePlan.safeguards).toEqual([holding]);
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });
    pulled.releasePlan.safeguards = [moreThan(20, ofPlan)];
    await apply(state);
    expect(await actionsOf(params)).toEqual(['pauseReleasePlanProgressions 20', 'disableFeatureEnvironment 10']);
    pulled.safeguards = [{ ...moreThan(10, ofFlag), holdAt: 'off' }];
    const [fault] = (await plan(state)).json.errors;
    expect(fault).toMatchObject({
      path: expect.stringMatching(/environments\.development\.safeguards\.0\.holdAt$/),
      message: expect.stringContaining('must not be given without a release plan'),
    });
  });

  it('are complete lists: one is changed in place, one is added, and unnamed ones are deleted', async () => {
    const { params, ofFlag } = await given();
    const safeguards: { id: string; impactMetric: { metricName: string } }[] = await safeguardsOf(server(), params);
    const id = safeguards.find(({ impactMetric }) => impactMetric.metricName === ofFlag)?.id;
    const state = await pull(params.projectId);
    inState(state, params).safeguards = [moreThan(5, ofFlag), moreThan(1, await givenMetric())];
    inState(state, params).releasePlan.safeguards = [];
    const before = await lastEventId(server());
    expect((await apply(state)).json.changes).toMatchObject([
      {
        type: 'safeguard-changed',
        item: `${ofFlag} > 5`,
        fields: [{ field: 'triggerCondition.threshold', before: 10, after: 5 }],
      },
      { type: 'safeguard-changed' },
      { type: 'safeguard-deleted', item: expect.stringContaining('(release plan)') },
    ]);
    expect(await typesAfter(before)).toEqual(['safeguard-deleted', 'safeguard-changed', 'safeguard-changed']);
    // The order is not defined: safeguards that were created at the same time are listed by their random ids.
    expect((await actionsOf(params)).toSorted()).toEqual([
      'disableFeatureEnvironment 1',
      'disableFeatureEnvironment 5',
    ]);
    expect(await safeguardsOf(server(), params)).toContainEqual(expect.objectContaining({ id }));
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });
  });

  it('stay as they are where a flag or its plan names none, also when their metric is no longer reported', async () => {
    const { params } = await given();
    const state = await pull(params.projectId);
    delete inState(state, params).safeguards;
    delete inState(state, params).releasePlan.safeguards;
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });
    const withAll = await pull(params.projectId);
    server().clock.advance(26 * 3_600_000);
    await server().app.service.jobs.runDue();
    expect(inState(withAll, params).safeguards).toHaveLength(1);
    expect((await plan(withAll)).json).toMatchObject({ changes: [], errors: [] });
  });

  it('go with the release plan that is removed, and act after they were applied', async () => {
    const { params } = await given();
    const state = await pull(params.projectId);
    inState(state, params).releasePlan = null;
    const before = await lastEventId(server());
    expect((await apply(state)).status).toBe(200);
    expect(await typesAfter(before)).not.toContain('safeguard-deleted');
    expect(await actionsOf(params)).toEqual(['disableFeatureEnvironment 10']);

    startMinute(server());
    const name = metricNamed('errors_total');
    const pass = async () => {
      await reportMetrics(server(), [{ name, samples: [{ value: 5 }] }], 'development');
      await passMinutes(server(), 1);
    };
    await pass();
    const safeguards = [moreThan(1, `unleash_counter_${name}`)];
    inState(state, params).releasePlan = { milestones, safeguards };
    expect((await apply(state)).status).toBe(200);
    await pass();
    await pass();
    expect((await planOf(server(), params)).progress).toMatchObject({ state: 'paused' });
  });

  it('are refused with a name that no impact metric has, when named twice, and over their limit, with the paths', async () => {
    const { params, ofFlag } = await given();
    const state = await pull(params.projectId);
    const twice = [moreThan(1, ofFlag), moreThan(2, ofFlag)];
    inState(state, params).safeguards = [moreThan(1, 'errors_of_nobody'), ...twice];
    const modes = ['count', 'rps', 'sum'];
    inState(state, params).releasePlan.safeguards = await Promise.all(
      Array.from({ length: 18 }, async (_, index) =>
        moreThan(1, ofFlag, { aggregationMode: modes[index % 3], labelSelectors: { index: [String(index)] } }),
      ),
    );
    const at = `projects.${params.projectId}.flags.${params.featureName}.environments.development`;
    const { json } = await plan(state);
    expect(json.errors.map(({ path }: { path: string }) => path)).toEqual([
      `${at}.safeguards.0.impactMetric.metricName`,
      `${at}.safeguards.2`,
      `${at}.safeguards`,
    ]);
    expect((await apply(state)).status).toBe(400);
  });

  it('with a metric that no SDK has reported yet have a warning, also in the answer of their own route', async () => {
    const params = await givenEnabled(server(), await givenProject(server()));
    const metric = `unleash_counter_${metricNamed('later_total')}`;
    const warning = `No SDK has reported the metric ${metric} yet: the safeguard has no value.`;
    const safeguards = [moreThan(10, metric)];
    const flags = { [params.featureName]: { environments: { development: { safeguards } } } };
    const state = { version: 1, projects: { [params.projectId]: { flags } } };
    const planned = (await plan(state)).json;
    expect(planned).toMatchObject({ errors: [], changes: [{ type: 'safeguard-changed', warning }] });
    const route = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards';
    const set = () => server().admin.call(route, { params, body: moreThan(20, metric) });
    expect((await set()).headers.get('x-warning')).toBe(warning);
    await reportMetrics(
      server(),
      [{ name: metric.slice('unleash_counter_'.length), samples: [{ value: 0 }] }],
      'development',
    );
    expect((await set()).headers.get('x-warning')).toBeNull();
    await server().admin.call(
      'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards/:safeguardId',
      { params: { ...params, safeguardId: (await safeguardsOf(server(), params))[0].id } },
    );
    // The plan is still the one that was shown.
    const { fingerprint } = planned;
    const applied = await server().admin.call('POST /api/admin/state/apply', { body: { state, fingerprint } });
    expect([applied.status, applied.json.changes[0].warning]).toEqual([200, undefined]);
  });

  it('of a plan warn of milestones that are shorter than they need, and so do the gates of such a milestone', async () => {
    const { params } = await given();
    const state = await pull(params.projectId);
    const { releasePlan } = inState(state, params);
    const warningsOf = async () =>
      (await plan(state)).json.changes.flatMap(({ warning }: { warning?: string }) => warning ?? []);
    const [first] = releasePlan.milestones;
    const text = `Shorter than a safeguard needs: ${first.name}. The next milestone also waits for a first value of each safeguard, which takes about 2 minutes.`;
    first.transitionCondition = { intervalMinutes: 1 };
    expect(await warningsOf()).toEqual([text]);
    releasePlan.safeguards[0].triggerCondition.threshold += 1;
    expect(await warningsOf()).toEqual([text, text]);
    first.transitionCondition = { intervalMinutes: 2 };
    expect(await warningsOf()).toEqual([]);
    first.transitionCondition = { intervalMinutes: 1 };
    releasePlan.safeguards = [];
    expect(await warningsOf()).toEqual([]);
  });

  it('need the permissions of their own routes, which differ for a flag and a plan', async () => {
    const { params } = await given();
    const state = await pull(params.projectId);
    const { client } = await givenCaller(server());
    const missing = async (changed: object) =>
      (await plan(changed, client)).json.permissions.map(({ message }: { message: string }) => message);
    inState(state, params).safeguards = [];
    expect(await missing(state)).toEqual([expect.stringContaining('UPDATE_FEATURE_ENVIRONMENT in project-')]);
    delete inState(state, params).safeguards;
    inState(state, params).releasePlan.safeguards = [];
    expect(await missing(state)).toEqual([expect.stringContaining('UPDATE_FEATURE_STRATEGY in project-')]);
    expect((await plan(state)).text).not.toContain('ofPlan');
  });

  it('are refused where changes are reviewed', async () => {
    const { params } = await given();
    const { client } = await givenMember(server(), params.projectId, memberRole);
    await givenReview(server(), params.projectId);
    const state = await pull(params.projectId);
    inState(state, params).releasePlan.safeguards = [];
    expect(await apply(state, client)).toMatchObject({ status: 403 });
    expect((await plan(state, client)).json.permissions).toEqual([
      { message: expect.stringContaining('SKIP_CHANGE_REQUEST'), names: [params.featureName] },
    ]);
    expect(await actionsOf(params)).toHaveLength(2);
  });
});
