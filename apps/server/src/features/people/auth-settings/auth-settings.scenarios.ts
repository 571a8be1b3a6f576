import { expect, onTestFinished } from 'vitest';
import { givenUser } from '#testing/people.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenProvider } from '#testing/single-sign-on.ts';

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
    name: 'returns the defaults before any setting is changed',
    answer: { enabled: false, discoverUrl: null, secret: null, secretSet: false, defaultRootRole: 'Editor' },
  },
  {
    route: settings,
    name: 'updates the settings, with the secret neither in the answer nor in the event',
    call: { body: oidc },
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
    name: 'updates the given settings and keeps the others, including the secret',
    call: { body: { enabled: true, clientId: 'other', defaultRootRole: 'Viewer' } },
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
    name: 'records that the secret changed',
    call: { body: { enabled: true, secret: 'another' } },
    events: [{ type: 'setting-updated', data: { secretSet: true, secretChanged: true }, preData: { secretSet: true } }],
  },
  {
    route: settings,
    name: 'resets null settings to their defaults and turns single sign-on off',
    call: { body: { enabled: false, clientId: null, secret: ' ', defaultRootRoleId: 0 } },
    answer: { enabled: false, clientId: null, secretSet: false, defaultRootRoleId: 2 },
    events: [{ type: 'setting-updated', data: { enabled: false }, preData: { enabled: true } }],
  },
  ...[
    { ...oidc, clientId: '' },
    { ...oidc, secret: '' },
    { ...oidc, discoverUrl: '' },
    { ...oidc, discoverUrl: 'http://id.example.com' },
    { ...oidc, discoverUrl: 'http://localhost.evil.com' },
    { ...oidc, discoverUrl: 'http://127.0.0.1.evil.com' },
    { ...oidc, discoverUrl: 'http://evil.com/localhost' },
    { ...oidc, discoverUrl: 'ftp://localhost' },
    { ...oidc, enableGroupSyncing: true },
    { ...oidc, enableGroupSyncing: true, groupJsonPath: 'groups[' },
    { ...oidc, emailDomains: 'example.com, *' },
    { ...oidc, defaultRootRoleId: 4 },
    { ...oidc, idTokenSigningAlgorithm: 'none' },
  ].map(
    (body): Scenario => ({
      route: settings,
      name: `refuses ${JSON.stringify(body).slice(0, 200)}`,
      call: { body },
      status: 400,
    }),
  ),
  {
    route: 'GET /api/admin/auth/saml/settings',
    name: 'returns that SAML is off',
    answer: { enabled: false },
  },
  {
    route: 'POST /api/admin/auth/saml/settings',
    name: 'accepts SAML off',
    call: { body: { enabled: false, entityId: '', signOnUrl: '', certificate: '' } },
    answer: { enabled: false },
  },
  ...refused('POST /api/admin/auth/saml/settings', 400, {
    'refuses to turn SAML on': {
      body: { enabled: true, entityId: 'a', signOnUrl: 'https://id.example.com', certificate: 'c' },
    },
  }),
  {
    route: 'GET /api/admin/auth/simple/settings',
    name: 'returns whether passwords are disabled',
    answer: { disabled: false },
  },
  ...refused(passwords, 403, {
    'refuses to disable passwords when no user could log in any more': { body: { disabled: true } },
  }),
  {
    route: passwords,
    name: 'disables passwords when an administrator can use single sign-on',
    given: async (server) => {
      const provider = await givenProvider(server);
      onTestFinished(() => provider.stop());
      await givenUser(server, 'Admin');
      return { body: { disabled: true } };
    },
    answer: { disabled: true },
    events: [{ type: 'setting-created', data: { id: 'auth.simple', disabled: true }, preData: null }],
  },
  ...refused(settings, 403, {
    'refuses to turn single sign-on off when passwords are disabled': { body: { enabled: false } },
  }),
  {
    route: passwords,
    name: 'enables passwords again',
    call: { body: { disabled: false } },
    answer: { disabled: false },
    events: [{ type: 'setting-updated', data: { disabled: false }, preData: { disabled: true } }],
  },
  ...refused(passwords, 502, {
    'refuses to disable passwords while the provider cannot be reached': { body: { disabled: true } },
  }),
];
