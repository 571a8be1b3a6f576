import { callApi } from '../api.ts';
import type { Installation } from '../installation.ts';
import type { RunningServer } from '../server.ts';
import { flagStatements } from './flags.ts';

export interface OrganisationSize {
  readonly projects: number;
  readonly flagsPerProject: number;
  /** The number of users, of segments and of context fields. Every fourth user adds a group and a service account. */
  readonly people: number;
}

const moreEnvironments = ['staging', 'load', 'preview'];

/**
 * Fills an installation like an organisation of many teams after years: projects, in five environments, with flags;
 * users in groups with roles; segments, context fields, tokens and tags. The server must be stopped.
 */
export async function seedOrganisation(installation: Installation, size: OrganisationSize): Promise<void> {
  const projects = Array.from({ length: size.projects }, (_, index) => `team-${index}`);
  {
    await using server = await installation.start({ CREATE_USER_RATE_LIMIT_PER_MINUTE: '100000' });
    await seedThings(server, installation.adminToken, projects, size.people);
  }
  await installation.execute(
    projects.flatMap((project) =>
      flagStatements({ count: size.flagsPerProject, project, prefix: `${project}-`, environments: moreEnvironments }),
    ),
  );
  await installation.vacuum();
  {
    await using server = await installation.start();
    for (const project of projects) await tagFlags(server, installation.adminToken, project, size.flagsPerProject);
  }
  // Otherwise PostgreSQL would vacuum during the measurement, unlike a database that has grown for years.
  await installation.vacuum();
}

async function seedThings(server: RunningServer, token: string, projects: readonly string[], people: number) {
  const post = <Body>(path: string, body: unknown) => callApi<Body>(server.origin, token, 'POST', path, body);
  for (const name of moreEnvironments) await post('/api/admin/environments', { name, type: 'test' });
  const users: number[] = [];
  for (let n = 0; n < people; n++) {
    const person = { email: `person-${n}@example.com`, name: `Person ${n}`, rootRole: 'Viewer', sendEmail: false };
    users.push((await post<{ id: number }>('/api/admin/user-admin', person)).id);
    await post('/api/admin/segments', { name: `segment-${n}`, constraints: [inCountry(n)] });
    await post('/api/admin/context', { name: `field-${n}`, legalValues: [{ value: 'a' }, { value: 'b' }] });
    if (n % 4 === 0) {
      const members = users.slice(-4).map((id) => ({ user: { id } }));
      await post('/api/admin/groups', { name: `group-${n}`, mappingsSSO: [], users: members });
      await post('/api/admin/service-account', { name: `Robot ${n}`, username: `robot-${n}`, rootRole: 2 });
    }
  }
  for (const [index, id] of projects.entries()) {
    await post('/api/admin/projects', {
      id,
      name: `Team ${index}`,
      environments: ['development', 'production', ...moreEnvironments],
    });
    const tokens = { tokenName: id, type: 'backend', environment: 'development', projects: [id] };
    await post('/api/admin/api-tokens', tokens);
    const some = users.filter((user) => user % projects.length === index % Math.max(1, users.length));
    await post(`/api/admin/projects/${id}/access`, { roles: [4], groups: [], users: [...some, users[0]] });
  }
}

function inCountry(n: number) {
  return { contextName: 'country', operator: 'IN', values: [`country-${n}`], inverted: false, caseInsensitive: false };
}

async function tagFlags(server: RunningServer, token: string, project: string, flags: number): Promise<void> {
  const features = Array.from({ length: flags }, (_, index) => `${project}-${index}`);
  const addedTags = [
    { type: 'simple', value: project },
    { type: 'simple', value: 'everyone' },
  ];
  await callApi(server.origin, token, 'PUT', `/api/admin/projects/${project}/tags`, {
    features,
    tags: { addedTags, removedTags: [] },
  });
}
