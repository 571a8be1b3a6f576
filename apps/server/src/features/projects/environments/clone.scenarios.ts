import { expect } from 'vitest';
import { givenRole } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import { freshName, givenDefault, givenEnvironment, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const route = 'POST /api/admin/environments/:name/clone' as const;

/** Prepares an environment of one project and the body of a clone request. */
const ofOne = (more: object) => async (server: TestServer) => {
  const name = await givenEnvironment(server, { requiredApprovals: 3 });
  await givenProject(server, { environments: [name] });
  return { params: { name }, body: { name: freshName('copy'), type: 'test', ...more } };
};

/** Creates a role with a permission in an environment. */
async function givenGrantIn(server: TestServer, environment: string): Promise<void> {
  const permissions = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment }];
  await givenRole(server, { permissions });
}

export const cloneScenarios: readonly Scenario[] = [
  {
    route,
    name: 'creates an environment in the projects of the source, last in sort order',
    given: ofOne({}),
    answer: { type: 'test', enabled: true, protected: false, projectCount: 1, requiredApprovals: 3 },
    events: [
      { type: 'environment-created', preData: null, data: { type: 'test', enabled: true, requiredApprovals: 3 } },
      { type: 'project-environment-added', project: expect.stringMatching(/^project-/) as unknown as string },
    ],
  },
  {
    route,
    name: 'adds the environment only to the given projects',
    given: async (server) => {
      const project = await givenProject(server, { environments: ['development'] });
      return ofOne({ projects: [project, project] })(server);
    },
    answer: { projectCount: 1 },
    events: [{ type: 'environment-created' }, { type: 'project-environment-added' }],
  },
  {
    route,
    name: 'adds the environment to no project for an empty list',
    given: ofOne({ projects: [] }),
    answer: { projectCount: 0 },
    events: [{ type: 'environment-created' }],
  },
  {
    route,
    name: 'copies the default strategies of its projects',
    given: async (server) => {
      const { projectId, environment } = await givenDefault(server, { name: 'default', title: 'Careful' });
      await givenDefault(server, { name: 'default' });
      return { params: { name: environment }, body: { name: freshName('copy'), type: 'test', projects: [projectId] } };
    },
    events: [
      { type: 'environment-created' },
      { type: 'project-environment-added' },
      { type: 'default-strategy-updated', preData: null, data: { name: 'default', title: 'Careful' } },
    ],
  },
  {
    route,
    name: 'copies the review settings of each project',
    given: async (server) => {
      const [reviewed, direct] = [await givenProject(server), await givenProject(server)];
      await givenReview(server, reviewed, 'production', 2);
      const body = { name: freshName('copy'), type: 'test', projects: [reviewed, direct] };
      return { params: { name: 'production' }, body };
    },
    events: [
      { type: 'environment-created' },
      { type: 'project-environment-added' },
      { type: 'project-environment-added' },
      {
        type: 'change-request-configuration-updated',
        preData: { changeRequestsEnabled: false },
        data: { changeRequestsEnabled: true, requiredApprovals: 2 },
      },
    ],
  },
  {
    route,
    name: 'copies permissions of roles with clonePermissions',
    given: async (server) => {
      const call = await ofOne({ clonePermissions: true, projects: [] })(server);
      await givenGrantIn(server, call.params.name);
      return call;
    },
    events: [
      { type: 'environment-created' },
      {
        type: 'role-updated',
        preData: { permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT' }] },
        data: { permissions: [{}, { name: 'UPDATE_FEATURE_ENVIRONMENT' }] },
      },
    ],
  },
  {
    route,
    name: 'does not copy permissions of roles by default',
    given: async (server) => {
      const call = await ofOne({ projects: [] })(server);
      await givenGrantIn(server, call.params.name);
      return call;
    },
    events: [{ type: 'environment-created' }],
  },
  { route, name: 'answers 409 for a name that is taken', given: ofOne({ name: 'production' }), status: 409 },
  ...refused(route, 400, {
    'answers 400 for a name that is not URL-friendly': ofOne({ name: 'a/b' }),
    'answers 400 for an unknown project and creates nothing': ofOne({ projects: ['nowhere'] }),
  }),
];
