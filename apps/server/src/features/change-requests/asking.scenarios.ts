import { expect } from 'vitest';
import { givenMember } from '../../../testing/access.ts';
import {
  ask,
  givenApproved,
  givenDraft,
  givenPlace,
  givenSent,
  switchingOn,
} from '../../../testing/change-requests.ts';
import { givenProject } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';

const asking = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests' as const;
const changing = 'PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId' as const;
const discarding = 'DELETE /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId' as const;
const anyId = { id: expect.any(Number), changeRequestId: expect.any(Number) };

const begin: readonly Scenario[] = [
  {
    route: asking,
    name: 'begins a draft, of whoever sees the project where changes are reviewed',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenPlace(server, 2);
      return { params, body: switchingOn(params) };
    },
    status: 200,
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
    route: asking,
    name: 'adds to the draft that there is, and puts a change in the place of an earlier one of the same',
    given: async (server) => {
      const { params } = await givenPlace(server);
      await ask(server.admin, params, switchingOn(params));
      const feature = params.featureName;
      const off = { action: 'updateEnabled', feature, payload: { enabled: false } };
      return { params, body: [off, { action: 'addStrategy', feature, payload: { name: 'default' } }] };
    },
    status: 200,
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
  {
    route: asking,
    name: 'refuses what the direct call would refuse, with the same field',
    given: async (server) => {
      const { params } = await givenPlace(server);
      const payload = { name: 'flexibleRollout', parameters: { rollout: '101' } };
      return { params, body: { action: 'addStrategy', feature: params.featureName, payload } };
    },
    status: 400,
    answer: { details: [{ path: 'parameters.rollout' }] },
  },
  {
    route: asking,
    name: 'refuses a payload that is none, naming the field, also in a list',
    given: async (server) => {
      const { params } = await givenPlace(server);
      const wrong = { action: 'updateEnabled', feature: params.featureName, payload: { enabled: 'yes' } };
      return { params, body: [switchingOn(params), wrong] };
    },
    status: 400,
    answer: { details: [{ path: '1.payload.enabled' }] },
  },
  {
    route: asking,
    name: 'tells which of several changes would be refused, and keeps none',
    given: async (server) => {
      const { params } = await givenPlace(server);
      const payload = { name: 'flexibleRollout', parameters: { rollout: '101' } };
      const wrong = { action: 'addStrategy', feature: params.featureName, payload };
      return { params, body: [switchingOn(params), wrong] };
    },
    status: 400,
    answer: { details: [{ path: '1.payload.parameters.rollout' }] },
  },
  {
    route: asking,
    name: 'refuses an action that there is not',
    given: async (server) => {
      const { params } = await givenPlace(server);
      return { params, body: { action: 'deleteEverything', feature: params.featureName } };
    },
    status: 400,
    answer: { details: [{ path: 'action' }] },
  },
  {
    route: asking,
    name: 'does not know an environment that the project does not have',
    given: async (server) => {
      const { params } = await givenPlace(server);
      return { params: { ...params, environment: 'nowhere' }, body: switchingOn(params) };
    },
    status: 404,
  },
  {
    route: asking,
    name: 'is closed to who may not make the change where it is not reviewed',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenPlace(server, 0);
      return { params, body: switchingOn(params) };
    },
    status: 403,
    answer: { permissions: ['UPDATE_FEATURE_ENVIRONMENT'] },
  },
  {
    route: asking,
    name: 'is closed to who may not archive flags, for that is felt in other environments too',
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
    name: 'changes what a change does; what was approved is looked at anew',
    given: async (server) => {
      const { at, changeIds, params, author } = await givenApproved(server);
      const body = { action: 'updateEnabled', feature: params.featureName, payload: { enabled: false } };
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 },
        body,
        headers: { authorization: author.token },
      };
    },
    status: 200,
    answer: { state: 'In review', approvals: [], features: [{ changes: [{ payload: { enabled: false } }] }] },
    events: [{ type: 'change-edited', data: { change: { payload: { enabled: false } } } }],
  },
  {
    route: changing,
    name: 'refuses another action',
    given: async (server) => {
      const { at, changeIds, params, author } = await givenDraft(server);
      const body = { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } };
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 },
        body,
        headers: { authorization: author.token },
      };
    },
    status: 400,
    answer: { details: [{ path: 'action' }] },
  },
  {
    route: changing,
    name: 'is closed to others',
    given: async (server) => {
      const { at, changeIds, params } = await givenSent(server);
      const place = { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 };
      return { params: place, body: switchingOn(params) };
    },
    status: 403,
  },
  {
    route: changing,
    name: 'does not know the change',
    given: async (server) => {
      const { at, params, author } = await givenDraft(server);
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: 99999 },
        body: switchingOn(params),
        headers: { authorization: author.token },
      };
    },
    status: 404,
  },
  {
    route: discarding,
    name: 'takes a change out',
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
    status: 200,
    events: [{ type: 'change-discarded', data: { change: { action: 'updateEnabled' } } }],
  },
  {
    route: discarding,
    name: 'throws a request away with its last change',
    given: async (server) => {
      const { at, changeIds, author } = await givenDraft(server);
      return {
        params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 },
        headers: { authorization: author.token },
      };
    },
    status: 200,
    events: [{ type: 'change-discarded' }, { type: 'change-request-discarded' }],
  },
  {
    route: discarding,
    name: 'does not know a draft of another one',
    given: async (server) => {
      const { at, changeIds } = await givenDraft(server);
      return { params: { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 } };
    },
    status: 404,
  },
];

const draft: readonly Scenario[] = [
  {
    route: 'DELETE /api/admin/projects/:projectId/change-requests/:id',
    name: 'throws a draft away',
    given: async (server) => {
      const { at, author } = await givenDraft(server);
      return { params: at, headers: { authorization: author.token } };
    },
    status: 200,
    events: [{ type: 'change-request-discarded' }],
  },
  {
    route: 'DELETE /api/admin/projects/:projectId/change-requests/:id',
    name: 'keeps what others have seen',
    given: async (server) => {
      const { at, author } = await givenSent(server);
      return { params: at, headers: { authorization: author.token } };
    },
    status: 409,
  },
  {
    route: 'PUT /api/admin/projects/:projectId/change-requests/:id/title',
    name: 'gives it a title',
    given: async (server) => {
      const { at, author } = await givenDraft(server);
      return { params: at, body: { title: 'Open the gates' }, headers: { authorization: author.token } };
    },
    status: 204,
    events: [{ type: 'change-request-title-updated', preData: { title: null }, data: { title: 'Open the gates' } }],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/change-requests/:id/title',
    name: 'is closed to others',
    given: async (server) => ({ params: (await givenSent(server)).at, body: { title: 'Mine' } }),
    status: 403,
  },
  {
    route: 'POST /api/admin/projects/:projectId/change-requests/:id/comments',
    name: 'keeps what somebody says of it',
    as: 'viewer',
    given: async (server) => ({ params: (await givenSent(server)).at, body: { text: 'Looks good' } }),
    status: 204,
    events: [{ type: 'change-request-commented', data: { text: 'Looks good' } }],
  },
  {
    route: 'POST /api/admin/projects/:projectId/change-requests/:id/comments',
    name: 'does not know a request of another project',
    given: async (server) => {
      const { id } = await givenSent(server);
      return { params: { projectId: await givenProject(server), id }, body: { text: 'Looks good' } };
    },
    status: 404,
  },
  {
    route: 'PUT /api/admin/projects/:projectId/change-requests/:id/approvers',
    name: 'asks somebody to approve it',
    given: async (server) => {
      const { at, author } = await givenSent(server);
      const { id } = await givenMember(server, at.projectId, 4);
      return { params: at, body: { reviewers: [id] }, headers: { authorization: author.token } };
    },
    status: 204,
    events: [
      {
        type: 'change-request-requested-approvers-updated',
        preData: { reviewers: [] },
        data: { reviewers: [expect.any(Number)] },
      },
    ],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/change-requests/:id/approvers',
    name: 'refuses somebody that there is not',
    given: async (server) => {
      const { at, author } = await givenSent(server);
      return { params: at, body: { reviewers: [99999] }, headers: { authorization: author.token } };
    },
    status: 400,
    answer: { details: [{ path: 'reviewers' }] },
  },
];

/** Asking for changes, and everything about drafts. */
export const askingScenarios: readonly Scenario[] = [...begin, ...edit, ...draft];
