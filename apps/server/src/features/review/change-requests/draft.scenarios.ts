import { expect } from 'vitest';
import { givenMember } from '#testing/access.ts';
import {
  givenApproved,
  givenDraft,
  givenPlace,
  givenSent,
  requestChanges,
  switchingOn,
} from '#testing/change-requests.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const requesting = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests' as const;
const changing = 'PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId' as const;
const discarding = 'DELETE /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId' as const;
const anyId = { id: expect.any(Number), changeRequestId: expect.any(Number) };

const addScenarios: readonly Scenario[] = [
  {
    route: requesting,
    name: 'creates a draft; in a reviewed environment a user who sees the project may',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenPlace(server, 2);
      return { params, body: switchingOn(params) };
    },
    answer: {
      title: expect.stringMatching(/^Change request #\d+$/),
      state: 'Draft',
      environment: 'development',
      minApprovals: 2,
      createdBy: { username: 'viewer' },
      features: [{ changes: [{ action: 'updateEnabled', payload: { enabled: true } }] }],
      segments: [],
      approvals: [],
      rejections: [],
      comments: [],
    },
    events: [
      { type: 'change-request-created', environment: 'development', data: { changeRequestId: anyId.id } },
      {
        type: 'change-added',
        environment: 'development',
        data: { changeRequestId: anyId.id, change: { action: 'updateEnabled', payload: { enabled: true } } },
      },
    ],
  },
  {
    route: requesting,
    name: 'adds to the existing draft and replaces an earlier change of the same target',
    given: async (server) => {
      const { params } = await givenPlace(server);
      await requestChanges(server.admin, params, switchingOn(params));
      const feature = params.featureName;
      const off = { action: 'updateEnabled', feature, payload: { enabled: false } };
      return { params, body: [off, { action: 'addStrategy', feature, payload: { name: 'default' } }] };
    },
    check: ({ json }) => {
      const actions = json.features[0].changes.map(({ action, payload }: Record<string, unknown>) => [action, payload]);
      expect(actions).toEqual([
        ['updateEnabled', { enabled: false }],
        ['addStrategy', { name: 'default' }],
      ]);
    },
    events: [
      {
        type: 'change-edited',
        preData: { change: { payload: { enabled: true } } },
        data: { change: { payload: { enabled: false } } },
      },
      { type: 'change-added', data: { change: { action: 'addStrategy' } } },
    ],
  },
  ...refused(requesting, 400, {
    'answers 400 with the same field as the direct route': async (server) => {
      const { params } = await givenPlace(server);
      const payload = { name: 'flexibleRollout', parameters: { rollout: '101' } };
      return { params, body: { action: 'addStrategy', feature: params.featureName, payload } };
    },
    'answers 400 for an invalid payload in a list, naming the field': async (server) => {
      const { params } = await givenPlace(server);
      const wrong = { action: 'updateEnabled', feature: params.featureName, payload: { enabled: 'yes' } };
      return { params, body: [switchingOn(params), wrong] };
    },
    'names the invalid change of several and stores none': async (server) => {
      const { params } = await givenPlace(server);
      const payload = { name: 'flexibleRollout', parameters: { rollout: '101' } };
      const wrong = { action: 'addStrategy', feature: params.featureName, payload };
      return { params, body: [switchingOn(params), wrong] };
    },
    'answers 400 for an unknown action': async (server) => {
      const { params } = await givenPlace(server);
      return { params, body: { action: 'deleteEverything', feature: params.featureName } };
    },
  }),
  {
    route: requesting,
    name: 'answers 403 without the direct permission in an environment without review',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenPlace(server, 0);
      return { params, body: switchingOn(params) };
    },
    status: 403,
    answer: { permissions: ['UPDATE_FEATURE_ENVIRONMENT'] },
  },
  {
    route: requesting,
    name: 'answers 403 for archiving without the direct permission, because it affects all environments',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenPlace(server);
      return { params, body: { action: 'archiveFeature', feature: params.featureName } };
    },
    status: 403,
    answer: { permissions: ['DELETE_FEATURE'] },
  },
];

const edit: readonly Scenario[] = [
  {
    route: changing,
    name: 'changes the payload and restarts the review',
    given: async (server) => {
      const { at, changeIds, params, author } = await givenApproved(server);
      const body = { action: 'updateEnabled', feature: params.featureName, payload: { enabled: false } };
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 },
        body,
        headers: { authorization: author.token },
      };
    },
    answer: { state: 'In review', approvals: [], features: [{ changes: [{ payload: { enabled: false } }] }] },
    events: [{ type: 'change-edited', data: { change: { payload: { enabled: false } } } }],
  },
  {
    route: changing,
    name: 'keeps the approvals and records no event when the payload stays',
    given: async (server) => {
      const { at, changeIds, params, author } = await givenApproved(server);
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 },
        body: switchingOn(params),
        headers: { authorization: author.token },
      };
    },
    answer: { state: 'Approved', approvals: [{}] },
  },
  ...refused(changing, 400, {
    'answers 400 for another action': async (server) => {
      const { at, changeIds, params, author } = await givenDraft(server);
      const body = { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } };
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 },
        body,
        headers: { authorization: author.token },
      };
    },
  }),
  ...refused(changing, 403, {
    'answers 403 to other accounts': async (server) => {
      const { at, changeIds, params } = await givenSent(server);
      const place = { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 };
      return { params: place, body: switchingOn(params) };
    },
  }),
  {
    route: discarding,
    name: 'removes a change',
    given: async (server) => {
      const { at, changeIds, author } = await givenDraft(server, 1, async ({ params }) => [
        switchingOn(params),
        { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } },
      ]);
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 },
        headers: { authorization: author.token },
      };
    },
    events: [{ type: 'change-discarded', data: { change: { action: 'updateEnabled' } } }],
  },
  {
    route: discarding,
    name: 'deletes the request with its last change',
    given: async (server) => {
      const { at, changeIds, author } = await givenDraft(server);
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 },
        headers: { authorization: author.token },
      };
    },
    events: [{ type: 'change-discarded' }, { type: 'change-request-discarded' }],
  },
  ...refused(discarding, 404, {
    'answers 404 for the draft of another account': async (server) => {
      const { at, changeIds } = await givenDraft(server);
      return { params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 } };
    },
  }),
];

const draft: readonly Scenario[] = [
  {
    route: 'DELETE /api/admin/projects/:projectId/change-requests/:id',
    name: 'deletes a draft',
    given: async (server) => {
      const { at, author } = await givenDraft(server);
      return { params: at, headers: { authorization: author.token } };
    },
    events: [{ type: 'change-request-discarded' }],
  },
  ...refused('DELETE /api/admin/projects/:projectId/change-requests/:id', 409, {
    'answers 409 after the request was sent to review': async (server) => {
      const { at, author } = await givenSent(server);
      return { params: at, headers: { authorization: author.token } };
    },
  }),
  {
    route: 'PUT /api/admin/projects/:projectId/change-requests/:id/title',
    name: 'sets the title',
    given: async (server) => {
      const { at, author } = await givenDraft(server);
      return { params: at, body: { title: 'Open the gates' }, headers: { authorization: author.token } };
    },
    events: [{ type: 'change-request-title-updated', preData: { title: null }, data: { title: 'Open the gates' } }],
  },
  ...refused('PUT /api/admin/projects/:projectId/change-requests/:id/title', 403, {
    'answers 403 to other accounts': async (server) => ({
      params: (await givenSent(server)).at,
      body: { title: 'Mine' },
    }),
  }),
  {
    route: 'POST /api/admin/projects/:projectId/change-requests/:id/comments',
    name: 'stores a comment',
    as: 'viewer',
    given: async (server) => ({ params: (await givenSent(server)).at, body: { text: 'Looks good' } }),
    events: [{ type: 'change-request-commented', data: { text: 'Looks good' } }],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/change-requests/:id/approvers',
    name: 'sets the approvers',
    given: async (server) => {
      const { at, author } = await givenSent(server);
      const { id } = await givenMember(server, at.projectId, 4);
      return { params: at, body: { reviewers: [id] }, headers: { authorization: author.token } };
    },
    events: [
      {
        type: 'change-request-requested-approvers-updated',
        preData: { reviewers: [] },
        data: { reviewers: [expect.any(Number)] },
      },
    ],
  },
  ...refused('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', 400, {
    'answers 400 for an unknown account': async (server) => {
      const { at, author } = await givenSent(server);
      return { params: at, body: { reviewers: [99999] }, headers: { authorization: author.token } };
    },
  }),
];

/** Scenarios of adding changes and editing drafts. */
export const draftScenarios: readonly Scenario[] = [...addScenarios, ...edit, ...draft];
