import { expect } from 'vitest';
import {
  type GivenRequest,
  givenApproved,
  givenDraft,
  givenPlace,
  givenSent,
  requestChanges,
  setRequestState,
} from '#testing/change-requests.ts';
import { addStrategy, givenFlag, switchFlag } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import type { TestServer } from '#testing/server.ts';

const state = 'PUT /api/admin/projects/:projectId/change-requests/:id/state' as const;
const own = ({ at, author }: GivenRequest, body: object) => ({
  params: at,
  body,
  headers: { authorization: author.token },
});

/** Creates an approved request of an administrator with every kind of change. */
async function givenEverything(server: TestServer) {
  const { params } = await givenPlace(server, 0);
  const { projectId, featureName: feature, environment } = params;
  const flag = async () => (await givenFlag(server, {}, projectId)).featureName;
  const first = await addStrategy(server, params, { name: 'default' });
  const second = await addStrategy(server, params, { name: 'default' });
  const [archived, child, parent, released, freed, running] = [
    await flag(),
    await flag(),
    await flag(),
    await flag(),
    await flag(),
    await flag(),
  ];
  for (const featureName of [released, freed]) {
    await server.admin.call('POST /api/admin/projects/:projectId/features/:featureName/dependencies', {
      params: { projectId, featureName },
      body: { feature: parent },
    });
  }
  await switchFlag(server, { projectId, featureName: running, environment }, 'on');
  const [kept, gone] = [await givenSegment(server, { project: projectId }), await givenSegment(server)];
  const { id } = await requestChanges(server.admin, params, [
    { action: 'updateEnabled', feature, payload: { enabled: true } },
    { action: 'updateEnabled', feature: running, payload: { enabled: false } },
    {
      action: 'reorderStrategy',
      feature,
      payload: [
        { id: second, sortOrder: 0 },
        { id: first, sortOrder: 1 },
      ],
    },
    { action: 'addStrategy', feature, payload: { name: 'default', title: 'new' } },
    { action: 'updateStrategy', feature, payload: { id: first, title: 'changed' } },
    { action: 'deleteStrategy', feature, payload: { id: second } },
    { action: 'patchVariant', feature, payload: { variants: [{ name: 'a', weight: 1000 }] } },
    { action: 'addDependency', feature: child, payload: { feature: parent } },
    { action: 'deleteDependency', feature: released, payload: { feature: parent } },
    { action: 'deleteDependency', feature: freed },
    { action: 'archiveFeature', feature: archived },
    { action: 'updateSegment', payload: { id: kept.id, name: `${kept.name}-new`, constraints: [] } },
    { action: 'deleteSegment', payload: { id: gone.id } },
  ]);
  await setRequestState(server.admin, projectId, id, 'In review');
  return { params: { projectId, id }, body: { state: 'Applied' } };
}

const group = { groupType: 'change-request', groupId: expect.stringMatching(/^\d+$/) };
const effect = (type: NonNullable<Scenario['events']>[number]['type'], more: object = {}) => ({
  type,
  ...group,
  ...more,
});

const reviewing: readonly Scenario[] = [
  {
    route: state,
    name: 'sends a draft to review',
    given: async (server) => own(await givenDraft(server), { state: 'In review' }),
    answer: { state: 'In review', stateTransitionTimestamps: { 'In review': expect.any(String) } },
    events: [{ type: 'change-request-sent-to-review' }],
  },
  {
    route: state,
    name: 'approves a request that needs no approvals',
    given: async (server) => own(await givenDraft(server, 0), { state: 'In review' }),
    answer: { state: 'Approved', minApprovals: 0 },
    events: [{ type: 'change-request-sent-to-review' }, { type: 'change-request-approved' }],
  },
  {
    route: state,
    name: 'adds an approval while more are needed, and stores the comment',
    given: async (server) => ({
      params: (await givenSent(server, 2)).at,
      body: { state: 'Approved', comment: 'Fine with me' },
    }),
    answer: {
      state: 'In review',
      approvals: [{ createdBy: { username: 'admin' } }],
      comments: [{ text: 'Fine with me' }],
    },
    events: [{ type: 'change-request-approval-added' }, { type: 'change-request-commented' }],
  },
  {
    route: state,
    name: 'approves the request with the last approval needed',
    given: async (server) => ({ params: (await givenSent(server)).at, body: { state: 'Approved' } }),
    answer: { state: 'Approved' },
    events: [{ type: 'change-request-approval-added' }, { type: 'change-request-approved' }],
  },
  ...refused(state, 403, {
    'answers 403 for approving an own request': async (server) => {
      const { params } = await givenPlace(server);
      const feature = params.featureName;
      const { id } = await requestChanges(server.admin, params, {
        action: 'updateEnabled',
        feature,
        payload: { enabled: true },
      });
      await setRequestState(server.admin, params.projectId, id, 'In review');
      return { params: { projectId: params.projectId, id }, body: { state: 'Approved' } };
    },
  }),
  {
    route: state,
    name: 'answers 403 without the permission to approve',
    as: 'editor',
    given: async (server) => ({ params: (await givenSent(server)).at, body: { state: 'Approved' } }),
    status: 403,
    answer: { permissions: ['APPROVE_CHANGE_REQUEST'] },
  },
  {
    route: state,
    name: 'rejects the request',
    given: async (server) => ({ params: (await givenSent(server)).at, body: { state: 'Rejected' } }),
    answer: { state: 'Rejected', rejections: [{ createdBy: { username: 'admin' } }] },
    events: [{ type: 'change-request-rejected' }],
  },
  {
    route: state,
    name: 'cancels the request',
    given: async (server) => own(await givenApproved(server), { state: 'Cancelled' }),
    answer: { state: 'Cancelled' },
    events: [{ type: 'change-request-cancelled' }],
  },
  ...refused(state, 409, {
    'answers 409 for approving a cancelled request': async (server) => {
      const request = await givenSent(server);
      await setRequestState(request.author.client, request.at.projectId, request.id, 'Cancelled');
      return { params: request.at, body: { state: 'Approved' } };
    },
    'answers 409 for rejecting a cancelled request, which stays cancelled': async (server) => {
      const request = await givenSent(server);
      await setRequestState(request.author.client, request.at.projectId, request.id, 'Cancelled');
      return { params: request.at, body: { state: 'Rejected' } };
    },
  }),
  {
    route: state,
    name: 'answers 403 for rejecting without the permission to approve',
    as: 'editor',
    given: async (server) => ({ params: (await givenSent(server)).at, body: { state: 'Rejected' } }),
    status: 403,
    answer: { permissions: ['APPROVE_CHANGE_REQUEST'] },
  },
];

const applying: readonly Scenario[] = [
  {
    route: state,
    name: 'applies every kind of change with the event of the direct route, all in one event group',
    given: givenEverything,
    answer: { state: 'Applied' },
    events: [
      effect('feature-environment-enabled', { environment: 'development' }),
      effect('feature-environment-disabled', { environment: 'development' }),
      effect('strategy-order-changed'),
      effect('feature-strategy-add', { data: { title: 'new' } }),
      effect('feature-strategy-update', { data: { title: 'changed' } }),
      effect('feature-strategy-remove'),
      effect('feature-environment-variants-updated'),
      effect('feature-dependency-added'),
      effect('feature-dependency-removed'),
      effect('feature-dependencies-removed'),
      effect('feature-archived'),
      effect('segment-updated'),
      effect('segment-deleted'),
      effect('change-request-applied'),
    ],
  },
  ...refused(state, 409, {
    'answers 409 for a conflicting change and names it': async (server) => {
      const request = await givenApproved(server, 1, async ({ params }) => {
        const id = await addStrategy(server, params, { name: 'default' });
        return { action: 'updateStrategy', feature: params.featureName, payload: { id, title: 'theirs' } };
      });
      const { features } = (
        await server.admin.call('GET /api/admin/projects/:projectId/change-requests/:id', { params: request.at })
      ).json;
      await server.admin.call(
        'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
        {
          params: { ...request.params, strategyId: features[0].changes[0].payload.id },
          body: { title: 'ours' },
        },
      );
      return { params: request.at, body: { state: 'Applied' } };
    },
    'answers 409 for a strategy with a deleted segment and names the segment': async (server) => {
      const segment = await givenSegment(server);
      const request = await givenApproved(server, 1, async ({ params }) => ({
        action: 'addStrategy',
        feature: params.featureName,
        payload: { name: 'default', segments: [segment.id] },
      }));
      await server.admin.call('DELETE /api/admin/segments/:id', { params: { id: segment.id } });
      return { params: request.at, body: { state: 'Applied' } };
    },
    'answers 409 for applying a request that is not approved': async (server) => ({
      params: (await givenSent(server)).at,
      body: { state: 'Applied' },
    }),
  }),
  {
    route: state,
    name: 'answers 403 without the permission to apply',
    given: async (server) => own(await givenApproved(server), { state: 'Applied' }),
    status: 403,
    answer: { permissions: ['APPLY_CHANGE_REQUEST'] },
  },
  {
    route: state,
    name: 'schedules the request',
    given: async (server) => ({
      params: (await givenApproved(server)).at,
      body: { state: 'Scheduled', scheduledAt: '2099-01-01T01:00:00+01:00' },
    }),
    answer: {
      state: 'Scheduled',
      schedule: {
        scheduledAt: '2099-01-01T00:00:00.000Z',
        scheduledBy: { username: 'admin' },
        status: 'pending',
        reason: null,
      },
    },
    events: [{ type: 'change-request-scheduled', data: { scheduledDate: '2099-01-01T00:00:00.000Z' } }],
  },
  ...refused(state, 400, {
    'answers 400 for a time in the past': async (server) => ({
      params: (await givenApproved(server)).at,
      body: { state: 'Scheduled', scheduledAt: '2020-01-01T00:00:00Z' },
    }),
    'answers 400 for a schedule without a time': async (server) => ({
      params: (await givenApproved(server)).at,
      body: { state: 'Scheduled' },
    }),
  }),
];

/** Scenarios of state changes. */
export const stateScenarios: readonly Scenario[] = [...reviewing, ...applying];
