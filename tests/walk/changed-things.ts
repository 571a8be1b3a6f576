import type { Routes } from '@yardarm/contract';
import { givenCaller, givenGroup, givenRole } from '../../apps/server/testing/access.ts';
import { calling, givenActionPlace, givenSet } from '../../apps/server/testing/actions.ts';
import { is } from '../../apps/server/testing/alerts.ts';
import { givenContextField } from '../../apps/server/testing/context-fields.ts';
import {
  freshName,
  givenEnvironment,
  givenFlag,
  givenFlagIn,
  givenProject,
  givenStrategy,
} from '../../apps/server/testing/flags.ts';
import { givenIntegration } from '../../apps/server/testing/integrations.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import type { TestServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint } from '../../apps/server/testing/signals.ts';

export type Put = keyof Routes & `PUT ${string}`;
type Get = keyof Routes & `GET ${string}`;
type Item = Readonly<Record<string, unknown>>;

/** A thing that a PUT changes. */
export interface Changed {
  readonly params: Readonly<Record<string, string | number>>;
  /** Each field of the body with two values, neither of which is its default. */
  readonly fields: Readonly<Record<string, readonly [one: unknown, other: unknown]>>;
  /** The route that shows the thing, and what picks it from a list. */
  readonly get: Get;
  readonly pick?: (answer: Item) => unknown;
  /** The fields that are not shown, or not as they were sent. */
  readonly shown?: Readonly<Record<string, null>>;
}

const [soon, later] = ['2098-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];
const byId =
  (list: string, id: unknown) =>
  (answer: Item): unknown =>
    (answer[list] as readonly Item[]).find((item) => item['id'] === id);
const byName =
  (list: string, name: string) =>
  (answer: Item): unknown =>
    (answer[list] as readonly Item[]).find((item) => item['name'] === name);
const text = (): [string, string] => [freshName('text'), freshName('text')];
const condition = (value: string) => ({
  ...{ contextName: 'userId', operator: 'IN', values: [value] },
  ...{ inverted: true, caseInsensitive: false },
});
const constraints = [[condition('a')], [condition('b')]] as const;

/** The things by the route that changes them. */
export const changed: Readonly<Partial<Record<Put, (server: TestServer) => Promise<Changed>>>> = {
  'PUT /api/admin/signal-endpoints/:id': async (server) => {
    const { id } = await givenEndpoint(server);
    return {
      params: { id },
      get: 'GET /api/admin/signal-endpoints',
      pick: byId('signalEndpoints', id),
      fields: {
        name: text(),
        description: text(),
        enabled: [false, true],
        source: ['generic', 'generic'],
        oneSender: [true, false],
        ratePerSecond: [7, 8],
        burst: [9, 10],
        maxBodyBytes: [1000, 1001],
        maxElements: [11, 12],
        fields: [{ title: 'a' }, { title: 'b' }],
        dropped: [['a.b'], ['a.c']],
        hashed: [['d'], ['e']],
        retentionDays: [13, 14],
        enabledUntil: [soon, later],
        expectedMinutes: [15, 16],
        expectedFilters: [{ status: is('a') }, { status: is('b') }],
        whenDisabled: ['keep', 'refuse'],
      },
    };
  },
  'PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': async (server) => {
    const { id: signalEndpointId, tokenId: id } = await givenEndpoint(server);
    return {
      params: { signalEndpointId, id },
      get: 'GET /api/admin/signal-endpoints/:signalEndpointId/tokens',
      pick: byId('signalEndpointTokens', id),
      fields: {
        name: text(),
        sender: text(),
        ratePerSecond: [7, 8],
        burst: [9, 10],
        maxBodyBytes: [1000, 1001],
        enabledUntil: [soon, later],
      },
    };
  },
  'PUT /api/admin/event-consumers/:name': async (server) => {
    const name = freshName('consumer');
    await server.admin.call('PUT /api/admin/event-consumers/:name', { params: { name }, body: {} });
    return {
      params: { name },
      get: 'GET /api/admin/event-consumers',
      pick: byName('consumers', name),
      shown: { acknowledged: null },
      fields: {
        description: text(),
        types: [['feature-created'], ['feature-archived']],
        projects: [['a'], ['b']],
        environments: [['c'], ['d']],
        features: [['e'], ['f']],
        acknowledged: [0, 1],
      },
    };
  },
  'PUT /api/admin/user-admin/:id': async (server) => {
    const { id } = await givenUser(server);
    return {
      params: { id },
      get: 'GET /api/admin/user-admin/:id',
      fields: { name: text(), email: ['a@example.com', 'b@example.com'], rootRole: [2, 3] },
    };
  },
  'PUT /api/admin/roles/:roleId': async (server) => {
    const { id: roleId } = await givenRole(server);
    return {
      params: { roleId },
      get: 'GET /api/admin/roles/:roleId',
      fields: {
        name: text(),
        description: text(),
        type: ['custom', 'custom'],
        permissions: [[{ name: 'UPDATE_FEATURE' }], [{ name: 'DELETE_FEATURE' }]],
      },
    };
  },
  'PUT /api/admin/groups/:groupId': async (server) => {
    const { id: groupId } = await givenGroup(server);
    const [one, other] = [await givenUser(server), await givenUser(server)];
    const member = (user: { readonly id: number }) => [{ user: { id: user.id } }];
    return {
      params: { groupId },
      get: 'GET /api/admin/groups/:groupId',
      fields: {
        name: text(),
        description: text(),
        mappingsSSO: [['a'], ['b']],
        rootRole: [2, 3],
        users: [member(one), member(other)],
      },
    };
  },
  'PUT /api/admin/projects/:projectId': async (server) => {
    const projectId = await givenProject(server);
    return {
      params: { projectId },
      get: 'GET /api/admin/projects/:projectId/overview',
      fields: {
        name: text(),
        description: text(),
        mode: ['protected', 'private'],
        defaultStickiness: ['userId', 'sessionId'],
        featureLimit: [7, 8],
      },
    };
  },
  'PUT /api/admin/projects/:projectId/settings': async (server) => {
    const projectId = await givenProject(server);
    const link = (title: string) => [{ title, urlTemplate: `https://example.com/${title}/{{feature}}` }];
    return {
      params: { projectId },
      get: 'GET /api/admin/projects/:projectId/overview',
      fields: {
        mode: ['protected', 'private'],
        featureLimit: [7, 8],
        // Without an example, because matching one has a time limit.
        featureNaming: [
          { pattern: '[a-z]+', example: null, description: 'letters' },
          { pattern: '[0-9]+', example: null, description: 'digits' },
        ],
        linkTemplates: [link('one'), link('other')],
        changeReason: [
          { required: true, pattern: 'A-' },
          { required: true, pattern: 'B-' },
        ],
      },
    };
  },
  'PUT /api/admin/environments/update/:name': async (server) => {
    const name = await givenEnvironment(server);
    return {
      params: { name },
      get: 'GET /api/admin/environments/:name',
      fields: { type: ['production', 'preproduction'], sortOrder: [701, 702], requiredApprovals: [2, 3] },
    };
  },
  'PUT /api/admin/projects/:projectId/features/:featureName': async (server) => ({
    params: await givenFlag(server),
    get: 'GET /api/admin/projects/:projectId/features/:featureName',
    fields: {
      description: text(),
      type: ['kill-switch', 'experiment'],
      impressionData: [true, false],
      stale: [true, false],
      archived: [false, false],
    },
  }),
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override': async (
    server,
  ) => {
    const params = await givenFlagIn(server);
    return {
      params,
      get: 'GET /api/admin/automation-overrides',
      pick: (answer) => (answer['overrides'] as readonly Item[]).find((o) => o['featureName'] === params.featureName),
      shown: { holds: null },
      fields: { reason: text(), endsAt: [soon, later], holds: ['keep', 'release'] },
    };
  },
  'PUT /api/admin/strategies/:name': async (server) => {
    const name = freshName('strategy');
    await server.admin.call('POST /api/admin/strategies', { body: { name, parameters: [] } });
    const parameter = (of: string) => [{ name: of, type: 'string', description: of, required: true }];
    return {
      params: { name },
      get: 'GET /api/admin/strategies/:name',
      fields: { title: text(), description: text(), parameters: [parameter('a'), parameter('b')] },
    };
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId': async (
    server,
  ) => {
    const segments = [await givenSegment(server), await givenSegment(server)];
    const variant = (name: string) => ({ name, weight: 1000, weightType: 'variable', stickiness: 'userId' });
    return {
      params: await givenStrategy(server, { name: 'flexibleRollout' }),
      get: 'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
      fields: {
        name: ['flexibleRollout', 'flexibleRollout'],
        title: text(),
        disabled: [true, false],
        sortOrder: [7, 8],
        constraints,
        variants: [[variant('a')], [variant('b')]],
        parameters: [
          { rollout: '7', stickiness: 'userId', groupId: 'a' },
          { rollout: '8', stickiness: 'sessionId', groupId: 'b' },
        ],
        segments: segments.map(({ id }) => [id]) as [number[], number[]],
      },
    };
  },
  'PUT /api/admin/banners/:id': async (server) => {
    const { json } = await server.admin.call('POST /api/admin/banners', { body: { message: freshName('banner') } });
    return {
      params: { id: json.id },
      get: 'GET /api/admin/banners',
      pick: byId('banners', json.id),
      fields: {
        message: text(),
        enabled: [false, true],
        variant: ['warning', 'error'],
        sticky: [true, false],
        icon: ['none', 'star'],
        link: ['dialog', 'https://example.com/'],
        linkText: text(),
        dialogTitle: text(),
        dialog: text(),
      },
    };
  },
  'PUT /api/admin/segments/:id': async (server) => {
    const { id } = await givenSegment(server);
    const projects = [await givenProject(server), await givenProject(server)] as const;
    return {
      params: { id },
      get: 'GET /api/admin/segments/:id',
      fields: { name: text(), description: text(), project: projects, constraints },
    };
  },
  'PUT /api/admin/context/:contextField': async (server) => ({
    params: { contextField: await givenContextField(server) },
    get: 'GET /api/admin/context/:contextField',
    shown: { project: null },
    fields: {
      description: text(),
      stickiness: [true, false],
      sortOrder: [7, 8],
      legalValues: [[{ value: 'a', description: 'A' }], [{ value: 'b', description: 'B' }]],
      project: [null, null],
    },
  }),
  'PUT /api/admin/tag-types/:name': async (server) => {
    const name = freshName('type').replace('-', '');
    await server.admin.call('POST /api/admin/tag-types', { body: { name } });
    return {
      params: { name },
      get: 'GET /api/admin/tag-types/:name',
      pick: (answer) => answer['tagType'],
      fields: { description: text(), icon: ['a', 'b'], color: ['#ff0000', '#00ff00'] },
    };
  },
  'PUT /api/admin/addons/:id': async (server) => {
    const { id } = await givenIntegration(server);
    const callers = [await givenCaller(server), await givenCaller(server)];
    const url = 'https://8.8.8.8/';
    return {
      params: { id },
      get: 'GET /api/admin/addons/:id',
      shown: { parameters: null, signing: null },
      fields: {
        provider: ['webhook', 'webhook'],
        enabled: [false, true],
        description: text(),
        parameters: [{ url }, { url, contentType: 'application/json' }],
        events: [['feature-created'], ['feature-archived']],
        projects: [['a'], ['b']],
        environments: [['development'], ['production']],
        ordered: [false, true],
        actors: callers.map((caller) => [caller.id]) as [number[], number[]],
        cause: ['signal', 'person'],
        signing: ['hmac-sha256', 'hmac-sha256'],
      },
    };
  },
  'PUT /api/admin/projects/:projectId/actions/:id': async (server) => {
    const place = await givenActionPlace(server);
    const { id } = await givenSet(server, {}, place);
    const match = (value: string) => ({
      ...{ source: 'signal-endpoint', sourceId: place.endpoint.id, payload: { status: is(value) } },
      forEach: value,
    });
    return {
      params: { projectId: place.projectId, id },
      get: 'GET /api/admin/projects/:projectId/actions',
      pick: byId('actions', id),
      fields: {
        name: text(),
        description: text(),
        enabled: [false, true],
        actorId: [place.actorId, (await givenCaller(server, 'Editor')).id],
        match: [match('a'), match('b')],
        actions: [[calling(place, 'https://8.8.8.8/a')], [calling(place, 'https://8.8.8.8/b')]],
        allow: [{ environments: ['development'] }, { environments: ['production'] }],
        guards: [{ cooldownSeconds: 60 }, { cooldownSeconds: 61 }],
        shadow: [true, false],
      },
    };
  },
};

/** Why a PUT is not in the table: its one field is compared by its scenarios, or its fields by other tests. */
export const elsewhere: readonly (readonly [route: RegExp, why: string])[] = [
  [/^PUT \/api\/signal-endpoint\//, 'sends a signal'],
  [/\/(tags|sort-order|variants|lifetime|title|approvers|state|feedback\/:id)$/, 'sets one value'],
  [/\/(roles|access)$/, 'sets the roles of an account'],
  [/variants-batch$|\/changes\/:changeId$/, 'sets one value of several things'],
  [/api-tokens\/:token$|invite-link|service-account\/:id$|\/link\/:linkId$/, 'has two fields, with scenarios for both'],
  [/change-requests\/config$/, 'has two fields, with scenarios for both'],
  [/release-plan-templates|milestone-strategies|progressions/, 'is compared by the tests of templates and plans'],
  [/\/safeguards$/, 'is compared by the tests of safeguards'],
  [/\/projects\/:projectId\/context\//, 'is the same as a field of all projects'],
];
