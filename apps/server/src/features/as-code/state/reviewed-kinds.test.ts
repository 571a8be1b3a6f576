import { describe, expect, it } from 'vitest';
import { giveRoles, setRootRole } from '#testing/access.ts';
import { givenPlace, givenReview, readRequest, setRequestState } from '#testing/change-requests.ts';
import { addStrategy, freshName, givenFlag, givenProject, switchFlag } from '#testing/flags.ts';
import { metricNamed, reportMetrics } from '#testing/impact-metrics.ts';
import { moreThan } from '#testing/safeguards.ts';
import { lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const memberRole = 5;
const editorRole = 2;

type Place = Awaited<ReturnType<typeof givenPlace>>;

describe('a state whose changes are reviewed', () => {
  const server = useServer();

  const send = ({ author }: Place, route: 'plan' | 'apply', state: object, more: object = {}) =>
    author.client.call(`POST /api/admin/state/${route}`, { body: { state, changeRequests: true, ...more } });
  const stateOf = ({ params: { projectId } }: Place, flags: object, more: object = {}) => ({
    version: 1,
    ...more,
    projects: { [projectId]: { flags } },
  });
  const exported = async ({ params: { projectId } }: Place) =>
    (await server().admin.call('GET /api/admin/state', { query: { projects: projectId } })).json;

  /** Applies a state, approves and applies its only request, and returns the changes of the request. */
  async function applyReviewed(place: Place, state: object, more: object = {}) {
    const { status, json } = await send(place, 'apply', state, more);
    expect([status, json.changeRequests]).toMatchObject([200, [{ isNew: true }]]);
    return accept(place, json.changeRequests[0]);
  }

  /** Approves and applies a request of the author. Returns the actions of its changes. */
  async function accept({ author }: Place, { id, project }: { readonly id: number; readonly project: string }) {
    const { features, segments } = await readRequest(server(), project, id);
    type Requested = { readonly id: number; readonly action: string; readonly payload: unknown };
    const changes: (Requested & { readonly feature?: string })[] = [
      ...features.flatMap(({ name, changes }: { name: string; changes: Requested[] }) =>
        changes.map((change) => ({ ...change, feature: name })),
      ),
      ...segments,
    ];
    // The author can edit each change, so the API takes its payload.
    for (const { id: changeId, action, feature, payload } of changes.slice(0, 10)) {
      const { status, text } = await author.client.call(
        'PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId',
        { params: { projectId: project, changeRequestId: id, changeId }, body: { action, feature, payload } },
      );
      expect([action, status, text]).toEqual([action, 200, expect.anything()]);
    }
    await setRequestState(server().admin, project, id, 'Approved');
    await setRequestState(server().admin, project, id, 'Applied');
    return changes.map(({ action }) => action);
  }

  it('reaches release plans and safeguards by requests, and keeps the flag on', async () => {
    const place = await givenPlace(server());
    const { projectId, featureName } = place.params;
    await switchFlag(server(), place.params, 'on');
    const metric = metricNamed('errors_total');
    await reportMetrics(server(), [{ name: metric, samples: [{ value: 0 }] }], 'development');
    const named = `unleash_counter_${metric}`;
    const segment = freshName('segment');
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '10' }, segments: [segment] };
    const gates = { intervalMinutes: 60, approval: { by: 'person', role: 'Owner' } };
    const plan = {
      name: 'Two steps',
      milestones: [
        { name: 'Some', transitionCondition: gates, strategies: [strategy, { name: 'default', disabled: true }] },
        { name: 'All', strategies: [{ name: 'default' }] },
      ],
      safeguards: [moreThan(20, named)],
    };
    const stating = (development: object) =>
      stateOf(
        place,
        { [featureName]: { environments: { development: { enabled: true, ...development } } } },
        { segments: { [segment]: { project: projectId, constraints: [] } } },
      );
    const reach = async (development: object) => {
      const actions = await applyReviewed(place, stating(development));
      expect((await send(place, 'plan', stating(development))).json).toMatchObject({ changes: [], errors: [] });
      const now = (await exported(place)).projects[projectId].flags[featureName].environments.development;
      expect(now.enabled).toBe(true);
      return actions;
    };

    expect(await reach({ strategies: [], releasePlan: plan, safeguards: [moreThan(10, named)] })).toEqual([
      'addReleasePlan',
      'changeSafeguard',
      'deleteStrategy',
    ]);
    const all = plan.milestones[1];
    const changed = {
      ...plan,
      milestones: [
        {
          name: 'Some',
          strategies: [
            { ...strategy, parameters: { rollout: '20' } },
            { name: 'default', disabled: true },
          ],
        },
        all,
      ],
      safeguards: [moreThan(30, named)],
    };
    expect(await reach({ strategies: [], releasePlan: changed, safeguards: [] })).toEqual([
      'deleteMilestoneProgression',
      'updateMilestoneStrategy',
      'deleteSafeguard',
      'changeSafeguard',
    ]);
    const gated = { ...changed, milestones: [{ ...changed.milestones[0], transitionCondition: gates }, all] };
    expect(await reach({ releasePlan: gated })).toEqual(['changeMilestoneProgression']);
    expect(await reach({ releasePlan: { ...gated, safeguards: [] } })).toEqual(['deleteSafeguard']);
    await applyReviewed(place, stating({ strategies: [{ name: 'default' }], releasePlan: null }));
    const after = (await exported(place)).projects[projectId].flags[featureName].environments.development;
    expect(after).toMatchObject({ enabled: true, strategies: [{ name: 'default' }] });
    expect(after).not.toHaveProperty('releasePlan');
  });

  it('switches a flag on with its new plan, and without a strategy for everyone', async () => {
    const place = await givenPlace(server());
    const { projectId, featureName } = place.params;
    const milestones = [{ name: 'Some', strategies: [{ name: 'flexibleRollout', parameters: { rollout: '10' } }] }];
    const development = { enabled: true, strategies: [], releasePlan: { milestones } };
    await applyReviewed(place, stateOf(place, { [featureName]: { environments: { development } } }));
    const after = (await exported(place)).projects[projectId].flags[featureName].environments.development;
    expect(after).toMatchObject({ enabled: true, strategies: [], releasePlan: { milestones: [{ name: 'Some' }] } });
  });

  it('leaves plans and safeguards where nothing is reviewed to be applied at once', async () => {
    const place = await givenPlace(server());
    const { projectId, featureName } = place.params;
    const milestones = [{ name: 'All', strategies: [{ name: 'default' }] }];
    const environments = { development: { releasePlan: { milestones } }, production: { releasePlan: { milestones } } };
    const { status, json } = await send(place, 'apply', stateOf(place, { [featureName]: { environments } }));
    expect([status, new Set(json.changes.map(({ environment }: { environment: string }) => environment))]).toEqual([
      200,
      new Set(['production']),
    ]);
    expect(json.changeRequests).toMatchObject([{ environment: 'development' }]);
    const { development, production } = (await exported(place)).projects[projectId].flags[featureName].environments;
    expect([development.releasePlan, production.releasePlan.milestones]).toMatchObject([undefined, [{ name: 'All' }]]);
  });

  it('requests changes of segments: of a project there, of all projects where strategies use them', async () => {
    const place = await givenPlace(server());
    await givenReview(server(), place.params.projectId, 'production');
    await setRootRole(server(), place.author.id, editorRole);
    const own = await givenSegment(server(), { project: place.params.projectId });
    const [shared, unused] = [await givenSegment(server()), await givenSegment(server())];
    await addStrategy(
      server(),
      { ...place.params, environment: 'production' },
      { name: 'default', segments: [shared.id] },
    );
    const segments = Object.fromEntries([own, shared, unused].map(({ name }) => [name, { constraints: [] }]));
    const state = stateOf(place, {}, { segments });
    const planned = await send(place, 'plan', state);
    expect(planned.json).toMatchObject({
      permissions: [],
      changeRequests: [
        { environment: 'development', features: [], segments: [own.name] },
        { environment: 'production', features: [], segments: [shared.name] },
      ],
    });
    const { status, json } = await send(place, 'apply', state);
    expect([status, json.changes]).toMatchObject([200, [{ type: 'segment-updated', name: unused.name }]]);
    for (const request of json.changeRequests) expect(await accept(place, request)).toEqual(['updateSegment']);
    expect((await send(place, 'plan', state)).json.changes).toEqual([]);
  });

  it('refuses to change a segment that only a project uses which the caller cannot see, by its name', async () => {
    const place = await givenPlace(server());
    await setRootRole(server(), place.author.id, editorRole);
    const hidden = await givenProject(server(), { mode: 'private' });
    const flag = { ...(await givenFlag(server(), {}, hidden)), environment: 'development' };
    const shared = await givenSegment(server());
    await addStrategy(server(), flag, { name: 'default', segments: [shared.id] });
    await givenReview(server(), hidden);
    const state = stateOf(place, {}, { segments: { [shared.name]: { constraints: [] } } });
    const { json } = await send(place, 'plan', state);
    expect(json).toMatchObject({ changeRequests: [], permissions: [{ names: [shared.name] }] });
    expect(JSON.stringify(json)).not.toContain(hidden);
    expect((await send(place, 'apply', state)).status).toBe(403);
    // With a role there, it can be requested there.
    await giveRoles(server(), hidden, [memberRole], { users: [place.author.id] });
    expect((await send(place, 'apply', state)).json.changeRequests).toMatchObject([{ project: hidden, isNew: true }]);
  });

  it('requests more than a change request holds in several, whole flags in each, and keeps those that stay', async () => {
    const place = await givenPlace(server());
    const { projectId } = place.params;
    const names = Array.from({ length: 84 }, (_, index) => freshName(`flag-${String(index).padStart(3, '0')}`));
    const three = {
      enabled: true,
      strategies: [{ name: 'default' }, { name: 'userWithId', parameters: { userIds: 'a' } }],
    };
    const stating = (last: object) =>
      stateOf(
        place,
        Object.fromEntries(
          names.map((name) => [name, { environments: { development: name === names.at(-1) ? last : three } }]),
        ),
      );
    const created = Object.fromEntries(names.map((name) => [name, {}]));
    expect((await send(place, 'apply', stateOf(place, created))).status).toBe(200);
    const { status, json } = await send(place, 'apply', stating(three));
    expect([status, json.changeRequests]).toMatchObject([200, [{ isNew: true }, { isNew: true }]]);
    const [first, second] = json.changeRequests;
    const sizes = async (id: number) => {
      const { features } = await readRequest(server(), projectId, id);
      return features.map(({ changes }: { changes: unknown[] }) => changes.length);
    };
    expect([await sizes(first.id), await sizes(second.id)]).toEqual([Array(83).fill(3), [3]]);
    const changed = await send(place, 'apply', stating({ ...three, enabled: false }));
    expect(changed.json.changeRequests).toMatchObject([{ id: first.id, isNew: false }, { isNew: true }]);
    expect((await readRequest(server(), projectId, second.id)).state).toBe('Cancelled');
    for (const request of changed.json.changeRequests) await accept(place, request);
    expect((await send(place, 'plan', stating({ ...three, enabled: false }))).json.changes).toEqual([]);
  });

  it('says how many changes are too many to request, and requests none', async () => {
    const place = await givenPlace(server());
    const strategies = Array.from({ length: 25 }, (_, index) => ({ name: 'default', title: `${index}` }));
    const flags = Object.fromEntries(
      Array.from({ length: 41 }, () => [freshName('many'), { environments: { development: { strategies } } }]),
    );
    const before = await lastEventId(server());
    const message = 'The state has 1025 changes that need review, and at most 1000 can be requested at once';
    expect((await send(place, 'plan', stateOf(place, flags))).json.errors).toMatchObject([
      { message: expect.stringContaining(message) },
    ]);
    const refused = await send(place, 'apply', stateOf(place, flags));
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await lastEventId(server())).toBe(before);
  });
});
