import { expect } from 'vitest';
import { z } from 'zod';
import { refusedTo, type Scenario } from '#testing/scenario.ts';

export const systemScenarios: readonly Scenario[] = [
  {
    route: 'GET /health',
    name: 'answers 200 while the process is alive',
    as: 'anonymous',
    answer: { health: 'GOOD' },
  },
  {
    route: 'GET /ready',
    name: 'answers 200 when the process can serve requests',
    as: 'anonymous',
    answer: { health: 'GOOD' },
  },
  {
    route: 'GET /metrics',
    name: 'counts answers by the declared route',
    as: 'anonymous',
    given: async (server) => {
      await server.anonymous.call('GET /health');
      return {};
    },
    check: ({ text, headers }) => {
      expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/health",status="200"}');
      expect(text).toMatch(/^event_loop_delay_p99_seconds \d/m);
      expect(text).toMatch(/^event_loop_delay_max_seconds \d/m);
    },
  },
  {
    route: 'GET /docs/openapi.json',
    name: 'describes every route with its permission and events',
    as: 'anonymous',
    status: 200,
    answer: {
      openapi: '3.1.0',
      paths: {
        '/api/admin/signal-endpoints': {
          post: {
            operationId: 'postApiAdminSignalEndpoints',
            'x-yardarm-access': 'ADMIN',
            'x-yardarm-events': ['signal-endpoint-created'],
            responses: { '201': {}, '400': {}, '401': {}, '403': {}, '409': {}, '413': {}, '415': {} },
          },
        },
      },
    },
  },
  {
    route: 'GET /docs/openapi',
    name: 'is a page without scripts',
    as: 'anonymous',
    status: 200,
    check: ({ text, headers }) => {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).toContain('POST /api/signal-endpoint/:name');
      expect(text).not.toContain('<script');
    },
  },
  ...(['GET /docs/openapi.json', 'GET /docs/openapi', 'GET /docs/asyncapi.json'] as const).map(
    (route): Scenario => ({
      route,
      name: 'is compressed for clients that accept it, and answered 304 to those that have it',
      as: 'anonymous',
      given: async (server) => {
        const plain = await server.anonymous.call(route, { headers: { 'accept-encoding': 'identity' } });
        expect(plain.headers.get('content-encoding')).toBeNull();
        for (const encoding of ['gzip', 'br']) {
          const compressed = await server.anonymous.call(route, { headers: { 'accept-encoding': encoding } });
          expect(compressed.headers.get('content-encoding')).toBe(encoding);
          expect(compressed.text).toBe(plain.text);
        }
        return { headers: { 'if-none-match': String(plain.headers.get('etag')) } };
      },
      status: 304,
    }),
  ),
  {
    route: 'GET /docs/asyncapi.json',
    name: 'describes the feed with a message for each event type',
    as: 'anonymous',
    status: 200,
    answer: {
      asyncapi: '3.0.0',
      channels: { events: { address: '/api/admin/events/feed' } },
      components: { messages: { 'feature-created': { title: 'Flag created' } } },
    },
    check: ({ json }) => {
      expect(Object.keys(json.channels.events.messages)).toEqual(Object.keys(json.components.messages));
    },
  },
  {
    route: 'GET /docs/event-types/:type',
    name: 'is the schema that its events meet',
    as: 'anonymous',
    call: { params: { type: 'api-token-created' } },
    status: 200,
    answer: { title: 'API token created' },
    check: async ({ json }, server) => {
      const [event] = (await server.admin.call('GET /api/admin/events/feed', { query: { types: 'api-token-created' } }))
        .json.events;
      const schema = z.fromJSONSchema(json);
      expect(schema.safeParse(event).error).toBeUndefined();
      expect(schema.safeParse({ ...event, type: 'feature-created' }).success).toBe(false);
      expect(schema.safeParse({ ...event, data: { ...event.data, tokenName: 1 } }).success).toBe(false);
      expect(schema.safeParse({ ...event, data: { ...event.data, secret: 'x' } }).success).toBe(false);
    },
  },
  ...refusedTo('anonymous', 'GET /docs/event-types/:type', 400, {
    'refuses a type that does not exist': { params: { type: 'no-such-type' } },
  }),
];
