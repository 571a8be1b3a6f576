import { expect } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { integrationBody as body, givenIntegration } from '#testing/integrations.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const shown = { provider: 'webhook', enabled: true, parameters: { url: '*****', authorization: '*****' }, events: [] };
const byId = async (server: TestServer) => ({ params: { id: (await givenIntegration(server)).id } });
const withParameters = (parameters: object) => ({ ...body, parameters: { ...body.parameters, ...parameters } });

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/addons',
    name: 'lists integrations without their secrets, and the providers',
    given: async (server) => {
      await givenIntegration(server);
      return {};
    },
    check: ({ json, text }) => {
      expect(json.addons.at(-1)).toMatchObject(shown);
      expect(json.providers[0]).toMatchObject({
        name: 'webhook',
        events: expect.arrayContaining(['feature-created']),
      });
      expect(text).not.toContain('of-a-secret');
    },
  },
  {
    route: 'GET /api/admin/addons',
    name: 'offers callers who are not administrators the events of flags only',
    as: 'editor',
    check: ({ json }) => {
      expect(json.providers[0].events).toContain('feature-created');
      expect(json.providers[0].events).not.toContain('user-created');
    },
  },
  { route: 'GET /api/admin/addons/:id', name: 'shows an integration', given: byId, answer: shown },
  {
    route: 'GET /api/admin/addons/:id',
    name: 'names the accounts whose events it sends, and null for those that are deleted',
    given: async (server) => {
      const { params } = await byId(server);
      const { id } = await givenCaller(server);
      await server.admin.call('PUT /api/admin/addons/:id', { params, body: { ...body, actors: [id, 4711] } });
      return { params };
    },
    answer: { actorNames: [expect.stringMatching(/^caller-/), null] },
  },
  {
    route: 'GET /api/admin/addons/:id/events',
    name: 'lists no deliveries when nothing was sent',
    given: byId,
    answer: { integrationEvents: [] },
  },
];

const changing: readonly Scenario[] = [
  {
    route: 'POST /api/admin/addons',
    name: 'creates a webhook and records no parameters in the event',
    call: { body: { ...body, description: 'd', projects: ['default'], environments: ['production'] } },
    answer: { ...shown, description: 'd', projects: ['default'], environments: ['production'] },
    events: [{ type: 'addon-config-created', data: { provider: 'webhook', description: 'd', projects: ['default'] } }],
    check: async (_reply, server) => {
      const { text } = await server.admin.call('GET /api/admin/events', { query: { limit: 5 } });
      expect(text).not.toMatch(/of-a-secret|8\.8\.8\.8/);
      expect(server.logged.join('\n')).not.toContain('of-a-secret');
    },
  },
  {
    route: 'POST /api/admin/addons',
    name: 'parses a long run of blanks in linear time; an unclosed tag stays text',
    call: { body: withParameters({ bodyTemplate: `{{${' '.repeat(40_000)}` }) },
    events: [{ type: 'addon-config-created' }],
  },
  {
    route: 'POST /api/admin/addons',
    name: 'subscribes to events of any type for an administrator',
    call: { body: { ...body, events: ['user-created', 'feature-created'] } },
    answer: { events: ['user-created', 'feature-created'], signingSecret: expect.stringMatching(/^whsec_/) },
    events: [{ type: 'addon-config-created' }],
  },
  ...refusedTo('editor', 'POST /api/admin/addons', 400, {
    'refuses events that are not about flags to an editor': { body: { ...body, events: ['user-created'] } },
  }),
  ...refused('POST /api/admin/addons', 400, {
    'refuses an unknown provider': { body: { ...body, provider: 'pager' } },
    'refuses a missing URL': { body: { ...body, parameters: {} } },
    'refuses a URL of another scheme': { body: withParameters({ url: 'file:///etc/passwd' }) },
    'refuses a private address': { body: withParameters({ url: 'http://127.0.0.1:1/' }) },
    'refuses a private IPv6 address': { body: withParameters({ url: 'http://[::ffff:10.0.0.1]/' }) },
    'refuses a private address in another notation': { body: withParameters({ url: 'http://0x7f.1/' }) },
    'refuses a password in the URL': { body: withParameters({ url: 'https://a:b@8.8.8.8/' }) },
    'refuses headers that are not an object': { body: withParameters({ customHeaders: '[]' }) },
    'refuses headers that HTTP does not allow': { body: withParameters({ customHeaders: '{"a b":"c"}' }) },
    'refuses a line break in a header': { body: withParameters({ authorization: 'a\nb: c' }) },
    'refuses a template with an unclosed section': { body: withParameters({ bodyTemplate: '{{#a}}' }) },
    'refuses a template that is longer than the limit': { body: withParameters({ bodyTemplate: 'x'.repeat(50_001) }) },
    'refuses an unknown parameter': { body: withParameters({ colour: 'red' }) },
    'refuses an unknown event type': { body: { ...body, events: ['user-waved'] } },
  }),
  {
    route: 'PUT /api/admin/addons/:id',
    name: 'changes an integration and keeps secrets that are sent masked',
    given: async (server) => ({
      ...(await byId(server)),
      body: { ...withParameters({ authorization: '*****', url: '*****' }), enabled: false },
    }),
    answer: { ...shown, enabled: false },
    events: [{ type: 'addon-config-updated', preData: { enabled: true }, data: { enabled: false } }],
  },
  ...refused('PUT /api/admin/addons/:id', 400, {
    'refuses to keep a masked secret when the URL names another host': async (server) => ({
      ...(await byId(server)),
      body: withParameters({ authorization: '*****', url: 'https://8.8.4.4/hook' }),
    }),
  }),
  ...refusedTo('editor', 'PUT /api/admin/addons/:id', 400, {
    'refuses to keep a masked secret when the URL of another protocol than HTTP names another host': async (server) => {
      const parameters = { url: 'rediss://8.8.8.8:6379', stream: 'events', password: 'of-a-secret' };
      const { id } = await givenIntegration(server, { provider: 'redis', parameters });
      const moved = { ...parameters, url: 'rediss://8.8.4.4:6379', password: '*****' };
      return { params: { id }, body: { ...body, provider: 'redis', parameters: moved } };
    },
    'refuses to keep a masked secret for another provider, which may show it': async (server) => ({
      ...(await byId(server)),
      body: { ...body, provider: 'grafana', parameters: { url: '*****', token: 'of-grafana' } },
    }),
  }),
  {
    route: 'PUT /api/admin/addons/:id',
    name: "keeps the fields that Unleash's clients do not send",
    given: async (server) => {
      const { params } = await byId(server);
      const own = { ordered: false, actors: [4], cause: 'signal' };
      await server.admin.call('PUT /api/admin/addons/:id', { params, body: { ...body, ...own } });
      return { params, body: { ...body, description: 'changed' } };
    },
    answer: { description: 'changed', ordered: false, actors: [4], cause: 'signal' },
    events: [{ type: 'addon-config-updated' }],
  },
  {
    route: 'DELETE /api/admin/addons/:id',
    name: 'deletes an integration',
    given: byId,
    events: [{ type: 'addon-config-deleted', preData: { provider: 'webhook' } }],
  },
];

export const integrationScenarios: readonly Scenario[] = [...reading, ...changing];
