import { expect } from 'vitest';
import { givenFlag, givenProject } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

const lifetime = 'PUT /api/admin/feature-types/:id/lifetime' as const;

export const typeScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/feature-types',
    name: 'lists types with their lifetimes',
    as: 'viewer',
    check: ({ json }) => {
      const lifetimes = json.types.map(({ id, lifetimeDays }: { id: string; lifetimeDays: number }) => [
        id,
        lifetimeDays,
      ]);
      expect(Object.fromEntries(lifetimes)).toEqual({
        release: 40,
        experiment: 40,
        operational: 7,
        'kill-switch': null,
        permission: null,
        sunset: 90,
      });
    },
  },
  {
    route: lifetime,
    name: 'sets the lifetime',
    call: { params: { id: 'permission' }, body: { lifetimeDays: 30 } },
    answer: { id: 'permission', name: 'Permission', lifetimeDays: 30 },
    events: [
      {
        type: 'feature-type-updated',
        project: null,
        preData: { id: 'permission', lifetimeDays: null },
        data: { id: 'permission', lifetimeDays: 30 },
      },
    ],
  },
  {
    route: lifetime,
    name: 'stores a lifetime of 0 days as null',
    call: { params: { id: 'permission' }, body: { lifetimeDays: 0 } },
    answer: { lifetimeDays: null },
    events: [{ type: 'feature-type-updated', preData: { lifetimeDays: 30 }, data: { lifetimeDays: null } }],
  },
  ...[-1, 0.5, 2147483648].map(
    (lifetimeDays): Scenario => ({
      route: lifetime,
      name: `rejects a lifetime of ${JSON.stringify(lifetimeDays)}`,
      call: { params: { id: 'release' }, body: { lifetimeDays } },
      status: 400,
    }),
  ),
  {
    route: 'GET /api/admin/flag-creators',
    name: 'lists each creator once',
    as: 'viewer',
    given: async (server) => {
      for (let n = 0; n < 2; n++) await givenFlag(server);
      return {};
    },
    check: ({ json }) => {
      const { flagCreators, total } = json;
      expect(total).toBe(flagCreators.length);
      expect(flagCreators.filter(({ id }: { id: number }) => id === -42)).toEqual([
        { id: -42, name: 'Unleash Admin Token' },
      ]);
    },
  },
  {
    route: 'GET /api/admin/projects/:projectId/flag-creators',
    name: 'lists the creators of flags of a project',
    given: async (server) => {
      const params = { projectId: await givenProject(server) };
      const editor = server.client(await server.tokenOf('editor'));
      const route = 'POST /api/admin/projects/:projectId/features';
      await editor.call(route, { params, body: { name: `${params.projectId}.flag` } });
      return { params };
    },
    check: ({ json }) => expect(json).toEqual([{ id: expect.any(Number), name: 'editor' }]),
  },
];
