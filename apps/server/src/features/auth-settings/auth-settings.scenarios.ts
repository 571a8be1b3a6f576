import { expect } from 'vitest';
import type { IdentityProvider } from '../../../testing/identity-provider.ts';
import { givenUser } from '../../../testing/people.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import { givenProvider } from '../../../testing/single-sign-on.ts';

/** From the scenario that needs it first to the one that needs it last. */
let provider: IdentityProvider | undefined;

const oidc = {
  enabled: true,
  discoverUrl: 'https://id.example.com/.well-known/openid-configuration',
  clientId: 'yardarm',
  secret: 'top-secret',
};
const settings = 'POST /api/admin/auth/oidc/settings';
const passwords = 'POST /api/admin/auth/simple/settings';

export const authSettingsScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/auth/oidc/settings',
    name: 'tells what holds while nobody has set anything',
    status: 200,
    answer: { enabled: false, discoverUrl: null, secret: null, secretSet: false, defaultRootRole: 'Editor' },
  },
  { route: 'GET /api/admin/auth/oidc/settings', name: 'is closed to an editor', as: 'editor', status: 403 },
  {
    route: settings,
    name: 'sets how people log in, and tells the secret neither in its answer nor in the event',
    call: { body: oidc },
    status: 200,
    answer: {
      enabled: true,
      clientId: 'yardarm',
      secret: null,
      secretSet: true,
      enablePkce: true,
      defaultRootRoleId: 2,
      idTokenSigningAlgorithm: 'RS256',
    },
    events: [
      {
        type: 'setting-created',
        data: { id: 'auth.oidc', enabled: true, clientId: 'yardarm', secretSet: true },
        preData: null,
      },
    ],
    check: async ({ text }, server) => {
      const { text: events } = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      expect(text + events).not.toContain('top-secret');
      expect(JSON.parse(events).events[0].data).not.toHaveProperty('secret');
    },
  },
  {
    route: settings,
    name: 'changes what it names and leaves the rest, the secret too',
    call: { body: { enabled: true, clientId: 'other', defaultRootRole: 'Viewer' } },
    status: 200,
    answer: { clientId: 'other', secretSet: true, defaultRootRoleId: 3, defaultRootRole: 'Viewer' },
    events: [
      {
        type: 'setting-updated',
        data: { id: 'auth.oidc', clientId: 'other', defaultRootRoleId: 3 },
        preData: { id: 'auth.oidc', clientId: 'yardarm', defaultRootRoleId: 2 },
      },
    ],
  },
  {
    route: settings,
    name: 'records that the secret is another one',
    call: { body: { enabled: true, secret: 'another' } },
    status: 200,
    events: [{ type: 'setting-updated', data: { secretSet: true, secretChanged: true }, preData: { secretSet: true } }],
  },
  {
    route: settings,
    name: 'records nothing when nothing changes',
    call: { body: { enabled: true, secret: 'another' } },
    status: 200,
  },
  {
    route: settings,
    name: 'puts back to its default what is null, and turns off what is set up',
    call: { body: { enabled: false, clientId: null, secret: ' ', defaultRootRoleId: 0 } },
    status: 200,
    answer: { enabled: false, clientId: null, secretSet: false, defaultRootRoleId: 2 },
    events: [{ type: 'setting-updated', data: { enabled: false }, preData: { enabled: true } }],
  },
  ...(
    [
      ['clientId', { ...oidc, clientId: '' }],
      ['secret', { ...oidc, secret: '' }],
      ['discoverUrl', { ...oidc, discoverUrl: '' }],
      ['discoverUrl', { ...oidc, discoverUrl: 'http://id.example.com' }],
      ['discoverUrl', { ...oidc, discoverUrl: 'http://localhost.evil.com' }],
      ['discoverUrl', { ...oidc, discoverUrl: 'http://127.0.0.1.evil.com' }],
      ['discoverUrl', { ...oidc, discoverUrl: 'http://evil.com/localhost' }],
      ['discoverUrl', { ...oidc, discoverUrl: 'ftp://localhost' }],
      ['groupJsonPath', { ...oidc, enableGroupSyncing: true }],
      ['groupJsonPath', { ...oidc, enableGroupSyncing: true, groupJsonPath: 'groups[' }],
      ['emailDomains', { ...oidc, emailDomains: 'example.com, *' }],
      ['defaultRootRole', { ...oidc, defaultRootRoleId: 4 }],
      ['idTokenSigningAlgorithm', { ...oidc, idTokenSigningAlgorithm: 'none' }],
      ['enabled', { discoverUrl: oidc.discoverUrl }],
    ] as const
  ).map(
    ([path, body]): Scenario => ({
      route: settings,
      name: `refuses ${JSON.stringify(body).slice(0, 200)}`,
      call: { body },
      status: 400,
      answer: { name: 'BadDataError', details: [{ path }] },
    }),
  ),
  { route: settings, name: 'is closed to an editor', as: 'editor', call: { body: oidc }, status: 403 },
  {
    route: 'GET /api/admin/auth/saml/settings',
    name: 'says that there is no SAML',
    status: 200,
    answer: { enabled: false },
  },
  { route: 'GET /api/admin/auth/saml/settings', name: 'is closed to a viewer', as: 'viewer', status: 403 },
  {
    route: 'POST /api/admin/auth/saml/settings',
    name: 'takes that SAML stays off',
    call: { body: { enabled: false, entityId: '', signOnUrl: '', certificate: '' } },
    status: 200,
    answer: { enabled: false },
  },
  {
    route: 'POST /api/admin/auth/saml/settings',
    name: 'does not turn on what is not there',
    call: { body: { enabled: true, entityId: 'a', signOnUrl: 'https://id.example.com', certificate: 'c' } },
    status: 400,
    answer: { details: [{ path: 'enabled' }] },
  },
  {
    route: 'POST /api/admin/auth/saml/settings',
    name: 'is closed to an editor',
    as: 'editor',
    call: { body: { enabled: false } },
    status: 403,
  },
  {
    route: 'GET /api/admin/auth/simple/settings',
    name: 'says whether passwords do',
    status: 200,
    answer: { disabled: false },
  },
  { route: 'GET /api/admin/auth/simple/settings', name: 'is closed to an editor', as: 'editor', status: 403 },
  {
    route: passwords,
    name: 'does not lock everybody out',
    call: { body: { disabled: true } },
    status: 403,
    answer: { name: 'OperationDeniedError', message: expect.stringContaining('single sign-on first') },
  },
  {
    route: passwords,
    name: 'turns passwords off where an administrator can log in otherwise',
    given: async (server) => {
      provider = await givenProvider(server);
      await givenUser(server, 'Admin');
      return { body: { disabled: true } };
    },
    status: 200,
    answer: { disabled: true },
    events: [{ type: 'setting-created', data: { id: 'auth.simple', disabled: true }, preData: null }],
  },
  {
    route: settings,
    name: 'does not lock everybody out by turning off single sign-on where passwords are off',
    call: { body: { enabled: false } },
    status: 403,
    answer: { name: 'OperationDeniedError', message: expect.stringContaining('passwords are off') },
  },
  {
    route: passwords,
    name: 'turns them on again',
    call: { body: { disabled: false } },
    status: 200,
    answer: { disabled: false },
    events: [{ type: 'setting-updated', data: { disabled: false }, preData: { disabled: true } }],
    check: async () => provider?.stop(),
  },
  {
    route: passwords,
    name: 'does not turn them off while the provider is away',
    call: { body: { disabled: true } },
    status: 502,
    answer: { name: 'BadGatewayError' },
  },
  { route: passwords, name: 'leaves on what is on', call: { body: { disabled: false } }, status: 200 },
  { route: passwords, name: 'refuses what is neither yes nor no', call: { body: { disabled: 'no' } }, status: 400 },
  { route: passwords, name: 'is closed to an editor', as: 'editor', call: { body: { disabled: false } }, status: 403 },
];
