import { type RouteSpec, routes } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { matrixColumns } from '../../apps/server/src/features/people/access/permission-matrix.ts';
import { givenCaller, giveRoles } from '../../apps/server/testing/access.ts';
import { type GivenRequest, givenSent, switchingOn } from '../../apps/server/testing/change-requests.ts';
import type { ApiClient, Reply } from '../../apps/server/testing/client.ts';
import { addStrategy, type FlagParams, freshName, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { givenTemplate } from '../../apps/server/testing/release-plans.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, send } from '../../apps/server/testing/signals.ts';
import { committedPage } from '../../docs/generate.ts';

// Checks every cell of docs/reference/permissions.md with a request to a running server. No request changes anything,
// because it names nothing that exists or requests the present state: only a refusal for lack of a permission counts.

type Key = keyof typeof routes;

const cells = committedPage('reference/permissions.md')
  .split('\n')
  .flatMap((line) => {
    const [, row = '', ...columns] = line.split('|').map((cell) => cell.trim());
    const [, key, where = ''] = /^`([^`]+)` ?(.*)$/.exec(row) ?? [];
    if (key === undefined) return [];
    return matrixColumns.map(({ name }, index) => ({
      key: key as Key,
      where,
      who: name,
      may: columns[index] === 'yes',
    }));
  });

/** The objects that the requests name. */
interface World {
  readonly flag: FlagParams;
  readonly segments: Readonly<Record<'ofAll' | 'ofProject', number>>;
  readonly strategyId: string;
  /** Creates a release template of all projects, or of the project of the flag. */
  readonly givenTemplate: (isOfProject: boolean) => ReturnType<typeof givenTemplate>;
  /** A change request in a project where changes are reviewed. */
  readonly request: GivenRequest;
}

interface Input {
  readonly params?: object;
  readonly body?: unknown;
}

const ofAll = 'for a global segment';
const ofProject = 'for a segment of a project';
const forPayloads = 'for the payloads';
const forOrigins = 'for the origin of events';
const change = 'other changes need the permission of their own route';

/** The requests that change release templates. Each has a template of its own, because a permitted DELETE succeeds. */
const ofTemplates = Object.fromEntries(
  Object.keys(routes)
    .filter((key) => key.includes('/release-plan-templates') && !key.startsWith('GET '))
    .flatMap((key) =>
      [false, true].map((isOfProject) => [
        `${key} for a template of ${isOfProject ? 'a project' : 'all projects'}`,
        async ({ flag, givenTemplate }: World): Promise<Input> => {
          const { id: templateId, milestones } = await givenTemplate(isOfProject);
          const [{ id: milestoneId, strategies }] = milestones;
          return {
            params: { templateId, milestoneId, strategyId: strategies[0].id },
            body: {
              name: key.includes('/strategies') ? 'default' : freshName('template'),
              ...(key.startsWith('POST ') && isOfProject ? { project: flag.projectId } : {}),
            },
          };
        },
      ]),
    ),
);

/** The requests that reach the permission check of the handler, by route, or by route and object. */
const inputs: Readonly<Record<string, (world: World) => Input | Promise<Input>>> = {
  ...ofTemplates,
  'POST /api/admin/features/:featureName/tags': () => ({ body: { type: 'simple', value: 'of-the-matrix' } }),
  'PUT /api/admin/features/:featureName/tags': () => ({ body: { addedTags: [], removedTags: [] } }),
  [`POST /api/admin/segments ${ofAll}`]: () => ({ body: segment() }),
  [`POST /api/admin/segments ${ofProject}`]: ({ flag }) => ({ body: segment(flag.projectId) }),
  [`PUT /api/admin/segments/:id ${ofAll}`]: ({ segments }) => ({ params: { id: segments.ofAll }, body: segment() }),
  [`PUT /api/admin/segments/:id ${ofProject}`]: ({ segments, flag }) => ({
    params: { id: segments.ofProject },
    body: segment(flag.projectId),
  }),
  [`DELETE /api/admin/segments/:id ${ofAll}`]: ({ segments }) => ({ params: { id: segments.ofAll } }),
  [`DELETE /api/admin/segments/:id ${ofProject}`]: ({ segments }) => ({ params: { id: segments.ofProject } }),
  'POST /api/admin/segments/strategies': ({ flag, segments, strategyId }) => ({
    body: {
      projectId: flag.projectId,
      environmentId: 'development',
      strategyId,
      segmentIds: Object.values(segments),
    },
  }),
  'PUT /api/admin/projects/:projectId/features/:featureName/variants-batch': ({ flag }) => ({
    params: flag,
    body: { variants: [], environments: ['development'] },
  }),
  'POST /api/admin/features-batch/import': ({ flag }) => ({
    body: {
      project: flag.projectId,
      environment: 'development',
      data: { features: [{ name: freshName('imported') }], featureStrategies: [] },
    },
  }),
  'POST /api/admin/state/apply': ({ flag }) => ({
    body: {
      state: { version: 1, projects: { [flag.projectId]: { flags: { [freshName('applied')]: { type: 'release' } } } } },
      prune: false,
    },
  }),
  [`POST /api/admin/projects/:projectId/environments/:environment/change-requests to switch a flag where changes are not reviewed; ${change}`]:
    ({ flag }) => ({
      params: { environment: 'development' },
      body: switchingOn({ ...flag, environment: 'development' }),
    }),
  'PUT /api/admin/projects/:projectId/change-requests/:id/state to approve or reject': ({ request }) => ({
    params: request.at,
    body: { state: 'Approved' },
  }),
  'PUT /api/admin/projects/:projectId/change-requests/:id/state to schedule or apply': ({ request }) => ({
    params: request.at,
    body: { state: 'Applied' },
  }),
};

/** Returns the body of a segment with a new name. */
function segment(project?: string) {
  return { name: freshName('segment'), constraints: [], ...(project === undefined ? {} : { project }) };
}

describe('the permission matrix', () => {
  const server = useServer({ releaseTemplateLimit: 1000 });
  const clients = new Map<string, ApiClient>();
  let world: World | undefined;

  beforeAll(async () => {
    const projectId = await givenProject(server());
    await send(server(), await givenEndpoint(server()), '{}');
    // The project has a flag, so that a permitted DELETE of the project fails, and later requests still find it.
    const flag = await givenFlag(server(), {}, projectId);
    const request = await givenSent(server());
    // A strategy uses the segments, so that a permitted DELETE of them fails, and later requests still find them.
    const segments = {
      ofAll: (await givenSegment(server())).id,
      ofProject: (await givenSegment(server(), { project: projectId })).id,
    };
    const at = { ...flag, environment: 'development' };
    const strategyId = await addStrategy(server(), at, { name: 'default', segments: Object.values(segments) });
    const templateIn = (isOfProject: boolean) => givenTemplate(server(), isOfProject ? { project: projectId } : {});
    world = { flag, segments, strategyId, givenTemplate: templateIn, request };
    for (const { name, rootRole, projectRole } of matrixColumns) {
      if (rootRole === null) {
        clients.set(name, server().anonymous);
        continue;
      }
      const { id, client } = await givenCaller(server(), rootRole);
      clients.set(name, client);
      if (projectRole === null) continue;
      for (const project of [projectId, request.at.projectId]) {
        await giveRoles(server(), project, [projectRole], { users: [id] });
      }
    }
  });

  it('has a column for each role and rows', () => {
    expect(cells.length).toBeGreaterThan(100 * matrixColumns.length);
  });

  it('has a row for each request of this test', () => {
    const rows = new Set(cells.flatMap(({ key, where }) => [key, `${key} ${where}`]));
    expect(Object.keys(inputs).filter((row) => !rows.has(row as Key))).toEqual([]);
  });

  it.each(cells)('$key $where: $who may: $may', async ({ key, where, who, may }) => {
    if (world === undefined) throw new Error('nothing was given');
    const client = clients.get(who) as ApiClient;
    const { flag } = world;
    const named = key.includes('/:projectId') ? { projectId: flag.projectId } : flag;
    const { params, body = {} } = (await (inputs[`${key} ${where}`] ?? inputs[key])?.(world)) ?? {};
    const reply = await client.call(key, {
      params: { ...named, ...params },
      body: key.startsWith('GET ') ? undefined : body,
    });
    const refused =
      reply.status === 401
        ? reply.json.name === 'AuthenticationRequired'
        : isForWantOfRole(reply) ||
          (where === forPayloads && lacksPayloads(reply)) ||
          (where === forOrigins && lacksOrigins(reply));
    expect(`${reply.status} ${refused ? 'refused' : 'taken'}`).toMatch(may ? /taken$/ : /refused$/);
    if (isForWantOfRole(reply)) expect(declaredFor(key)).toEqual(expect.arrayContaining(reply.json.permissions));
    // A 400 would come from an invalid body, before the handler has checked the permission.
    if (where !== '') expect(reply.status).not.toBe(400);
  });
});

/** Returns the permissions that the contract names for a route. */
function declaredFor(key: Key): readonly string[] {
  const { access, checks = [] } = routes[key] as RouteSpec;
  return [typeof access === 'object' ? access.permission : [], checks.map(({ permission }) => permission)].flat(2);
}

/** Returns whether the signals in an answer have no payload. Fails when there are no signals. */
function lacksPayloads({ json }: Reply): boolean {
  expect(json.signals).not.toEqual([]);
  return json.signals.every((signal: object) => !('payload' in signal));
}

/** Returns whether the events in an answer have no origin. Fails when there are no events. */
function lacksOrigins({ json }: Reply): boolean {
  expect(json.events).not.toEqual([]);
  return json.events.every((event: { origin: unknown }) => event.origin === null);
}

function isForWantOfRole({ status, text }: { status: number; text: string }): boolean {
  return status === 403 && (JSON.parse(text) as { name: string }).name === 'PermissionError';
}
