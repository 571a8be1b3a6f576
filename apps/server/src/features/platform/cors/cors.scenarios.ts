import { expect } from 'vitest';
import type { Scenario } from '#testing/scenario.ts';

const route = 'POST /api/admin/ui-config/cors';
const set = (...frontendApiOrigins: string[]) => ({ body: { frontendApiOrigins } });

export const corsScenarios: readonly Scenario[] = [
  {
    route,
    name: 'sets origins, which the UI configuration returns',
    call: set('https://App.example.com', 'http://localhost:3000'),
    events: [
      {
        type: 'setting-created',
        data: { id: 'frontend.cors', frontendApiOrigins: ['https://app.example.com', 'http://localhost:3000'] },
        preData: null,
      },
    ],
    check: async (_reply, server) => {
      const { json } = await server.admin.call('GET /api/admin/ui-config');
      expect(json.frontendApiOrigins).toEqual(['https://app.example.com', 'http://localhost:3000']);
    },
  },
  {
    route,
    name: 'treats an empty list as all origins',
    call: set(),
    events: [{ type: 'setting-updated', data: { frontendApiOrigins: ['*'] } }],
  },
  ...[
    'https://*.example.com',
    'example.com',
    'https://example.com/',
    'https://example.com/x',
    'ftp://x',
    'null',
    'https://a.example.com,',
  ].map(
    (origin): Scenario => ({
      route,
      name: `refuses ${origin}`,
      call: set('https://good.example.com', origin),
      status: 400,
    }),
  ),
];
