import { describe, expect, it } from 'vitest';
import type { Call } from '../../apps/server/testing/client.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { type TerraformOperation, terraformOperations } from '../../docs/compatibility/terraform.ts';
import { expected, faults } from './terraform-client.ts';

// The lifecycle of each resource as the official Terraform provider for Unleash drives it: its requests, the statuses
// it accepts, the answers its client can decode, and the fields it compares with the configuration afterwards.

const server = useServer({ secret: 'a-secret-for-the-settings-of-this-test', readableSecrets: true });
const walked = new Set<string>();
const editor = 2;
const viewer = 3;

/** Sends a request like the provider, which fails on any other status and on an answer it cannot decode. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of the answer is checked, and a wrong expectation fails the test
async function call(operation: TerraformOperation, request: Call = {}, status?: number): Promise<any> {
  const reply = await server().admin.call(operation as Parameters<ReturnType<typeof server>['admin']['call']>[0], {
    ...request,
    headers: { accept: 'application/json', 'x-unleash-appname': 'terraform-provider-unleash' },
  });
  const { shape, ...wanted } = expected[operation];
  expect(reply.status, `${operation}: ${reply.text}`).toBe(status ?? wanted.status);
  if (status !== undefined) return undefined;
  walked.add(operation);
  if (shape === undefined) return undefined;
  expect(faults(shape, reply.json), operation).toEqual([]);
  return reply.json;
}

async function createProject(id: string) {
  return call('POST /api/admin/projects', {
    body: { id, name: `Project ${id}`, mode: 'open', defaultStickiness: 'default', environments: [] },
  });
}

const projectOf = async (id: string) =>
  (await call('GET /api/admin/projects')).projects.find((project: { id: string }) => project.id === id);

describe('the official Terraform provider', () => {
  it('manages a project', async () => {
    const params = { projectId: 'tf-project' };
    const created = await createProject('tf-project');
    expect(created).toMatchObject({ id: 'tf-project', name: 'Project tf-project' });
    expect(created).not.toHaveProperty('description');
    await call('PUT /api/admin/projects/:projectId/settings', { params, body: { mode: 'open' } });
    expect(await projectOf('tf-project')).toMatchObject({ name: 'Project tf-project', mode: 'open' });

    const featureNaming = { pattern: '^tf-[a-z]+$', example: 'tf-one', description: null };
    const linkTemplates = [{ title: null, urlTemplate: 'https://example.com/{{project}}/{{feature}}' }];
    await call('PUT /api/admin/projects/:projectId/settings', {
      params,
      body: { mode: 'protected', featureNaming, linkTemplates },
    });
    await call('PUT /api/admin/projects/:projectId', { params, body: { name: 'Renamed' } });
    expect(await projectOf('tf-project')).toMatchObject({ name: 'Renamed', mode: 'protected' });
    await call('PUT /api/admin/projects/:projectId', {
      params,
      body: { name: 'Renamed', description: 'What it is for' },
    });
    expect(await projectOf('tf-project')).toMatchObject({ description: 'What it is for' });

    await call('DELETE /api/admin/projects/:projectId', { params });
    expect(await projectOf('tf-project')).toBeUndefined();
  });

  it('manages an environment', async () => {
    const params = { name: 'tf-environment' };
    const body = { name: 'tf-environment', type: 'test', requiredApprovals: 2 };
    expect(await call('POST /api/admin/environments', { body })).toMatchObject(body);
    const update = 'PUT /api/admin/environments/update/:name';
    expect(await call(update, { params, body: { type: 'production', requiredApprovals: 3 } })).toMatchObject({
      type: 'production',
      requiredApprovals: 3,
    });
    const cleared = await call(update, { params, body: { type: 'production', requiredApprovals: null } });
    expect(cleared.requiredApprovals ?? null).toBeNull();
    expect(await call('GET /api/admin/environments/:name', { params })).toMatchObject({
      name: 'tf-environment',
      type: 'production',
    });
    await call('GET /api/admin/environments');
    await call('DELETE /api/admin/environments/:name', { params });
    await call('GET /api/admin/environments/:name', { params }, 404);
  });

  it('manages an environment of a project, with its change requests', async () => {
    await createProject('tf-stages');
    const params = { projectId: 'tf-stages', environment: 'production' };
    const list = async () =>
      (await call('GET /api/admin/environments/project/:projectId', { params })).environments.map(
        (environment: { name: string }) => environment.name,
      );
    const config = async () =>
      (await call('GET /api/admin/projects/:projectId/change-requests/config', { params })).find(
        (row: { environment: string }) => row.environment === 'production',
      );
    const add = { params, body: { environment: 'production' } };
    const set = 'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config';
    expect(await list()).toEqual([]);
    await call('POST /api/admin/projects/:projectId/environments', add);
    await call('POST /api/admin/projects/:projectId/environments', add, 409);
    expect(await list()).toEqual(['production']);
    expect(await config()).toMatchObject({ changeRequestEnabled: false });
    await call(set, { params, body: { changeRequestsEnabled: true, requiredApprovals: 2 } });
    expect(await config()).toMatchObject({ changeRequestEnabled: true, requiredApprovals: 2 });
    await call(set, { params, body: { changeRequestsEnabled: false, requiredApprovals: 0 } });
    expect(await config()).toMatchObject({ changeRequestEnabled: false });
    await call('DELETE /api/admin/projects/:projectId/environments/:environment', { params });
    expect(await list()).toEqual([]);
    await call('GET /api/admin/environments/project/:projectId', { params: { projectId: 'tf-nowhere' } }, 404);
  });

  it('manages a user with an e-mail address, a user name, or both', async () => {
    const email = 'tf-person@example.com';
    const created = await call('POST /api/admin/user-admin', { body: { email, rootRole: viewer, sendEmail: false } });
    expect(created).toMatchObject({ email, rootRole: viewer });
    const params = { id: created.id };
    expect(await call('GET /api/admin/user-admin/:id', { params })).toMatchObject({ id: created.id, email });
    const changed = { email: 'tf-other@example.com', name: 'A person', rootRole: editor };
    expect(await call('PUT /api/admin/user-admin/:id', { params, body: changed })).toMatchObject(changed);
    expect(await call('GET /api/admin/user-admin/search', { query: { q: changed.email } })).toMatchObject([
      { id: created.id, email: changed.email },
    ]);
    const named = await call('POST /api/admin/user-admin', {
      body: { username: 'tf-named', password: 'A-Good-Passw0rd', rootRole: viewer, sendEmail: false },
    });
    expect(named).toMatchObject({ username: 'tf-named' });
    expect(await call('GET /api/admin/user-admin/:id', { params: { id: named.id } })).not.toHaveProperty('email');
    expect(
      await call('PUT /api/admin/user-admin/:id', { params: { id: named.id }, body: { rootRole: viewer } }),
    ).toMatchObject({ username: 'tf-named', rootRole: viewer });
    for (const { id } of [created, named]) {
      await call('DELETE /api/admin/user-admin/:id', { params: { id } });
      await call('GET /api/admin/user-admin/:id', { params: { id } }, 404);
    }
    expect(await call('GET /api/admin/user-admin/:id', { params: { id: 1 } })).toMatchObject({
      username: 'admin',
      rootRole: 1,
    });
  });

  it('manages a group', async () => {
    const person = await call('POST /api/admin/user-admin', {
      body: { email: 'tf-member@example.com', rootRole: viewer, sendEmail: false },
    });
    const bare = { name: 'tf group', description: null, rootRole: null, mappingsSSO: [], users: [] };
    const created = await call('POST /api/admin/groups', { body: bare });
    const params = { groupId: created.id };
    expect(await call('GET /api/admin/groups/:groupId', { params })).toMatchObject({ ...bare, id: created.id });
    const full = { name: 'tf team', description: 'Some', rootRole: viewer, mappingsSSO: ['sso-team'] };
    await call('PUT /api/admin/groups/:groupId', { params, body: { ...full, users: [{ user: { id: person.id } }] } });
    const read = await call('GET /api/admin/groups/:groupId', { params });
    expect(read).toMatchObject({ ...full, users: [{ user: { id: person.id } }] });
    const { groups } = await call('GET /api/admin/groups');
    expect(groups.filter((group: { name: string }) => group.name === 'tf team')).toMatchObject([{ id: created.id }]);
    await call('DELETE /api/admin/groups/:groupId', { params });
    await call('GET /api/admin/groups/:groupId', { params }, 404);
  });

  it('manages a role, and finds permissions and roles by name', async () => {
    const { permissions } = await call('GET /api/admin/permissions');
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    expect(names(permissions.root)).toContain('CREATE_PROJECT');
    expect(names(permissions.project)).toContain('CREATE_FEATURE');
    expect(permissions.environments).toContainEqual(
      expect.objectContaining({
        name: 'development',
        permissions: expect.arrayContaining([
          expect.objectContaining({ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }),
        ]),
      }),
    );
    const granted = [{ name: 'CREATE_FEATURE' }, { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }];
    const body = { name: 'tf role', type: 'custom', description: 'For one thing', permissions: granted };
    const { roles: created } = await call('POST /api/admin/roles', { body });
    expect(created).toMatchObject({ name: 'tf role', type: 'custom', description: 'For one thing' });
    const params = { roleId: created.id };
    const read = async () => {
      const found = await call('GET /api/admin/roles/:roleId', { params });
      return found.permissions
        .map(({ name, environment }: { name: string; environment?: string | null }) =>
          environment == null ? { name } : { name, environment },
        )
        .sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1));
    };
    expect(await read()).toEqual(granted);
    const changed = { ...body, description: 'For less', permissions: granted.slice(0, 1) };
    expect((await call('PUT /api/admin/roles/:roleId', { params, body: changed })).roles).toMatchObject({
      description: 'For less',
    });
    expect(await read()).toEqual(granted.slice(0, 1));
    expect((await call('GET /api/admin/roles')).roles).toContainEqual(expect.objectContaining({ name: 'Owner' }));
    await call('DELETE /api/admin/roles/:roleId', { params });
    await call('GET /api/admin/roles/:roleId', { params }, 404);
  });

  it('manages the roles in a project, and removes others', async () => {
    await createProject('tf-access');
    const params = { projectId: 'tf-access' };
    const person = await call('POST /api/admin/user-admin', {
      body: { email: 'tf-owner@example.com', rootRole: viewer, sendEmail: false },
    });
    const group = await call('POST /api/admin/groups', { body: { name: 'tf owners' } });
    const { roles } = await call('GET /api/admin/roles');
    const idOf = (name: string): number => roles.find((role: { name: string }) => role.name === name).id;
    const read = async () => {
      const access = await call('GET /api/admin/projects/:projectId/access', { params });
      const listed = access.roles.map((role: { id: number }) => role.id);
      const held = (who: readonly { id: number; roles: number[] }[]) =>
        who.flatMap((member) => member.roles.filter((id) => listed.includes(id)).map((id) => [id, member.id]));
      return { users: held(access.users), groups: held(access.groups) };
    };
    const set = (wanted: object[]) =>
      call('PUT /api/admin/projects/:projectId/access', { params, body: { roles: wanted } });
    // The provider leaves out empty lists of users and groups.
    await set([
      { id: idOf('Owner'), users: [person.id] },
      { id: idOf('Member'), groups: [group.id] },
    ]);
    expect(await read()).toEqual({ users: [[idOf('Owner'), person.id]], groups: [[idOf('Member'), group.id]] });
    await set([
      { id: idOf('Owner'), groups: [group.id] },
      { id: idOf('Member'), users: [person.id] },
    ]);
    expect(await read()).toEqual({ users: [[idOf('Member'), person.id]], groups: [[idOf('Owner'), group.id]] });
  });

  it('manages a service account and its tokens', async () => {
    const body = { username: 'tf-robot', name: 'A robot', rootRole: viewer };
    const created = await call('POST /api/admin/service-account', { body });
    expect(created).toMatchObject(body);
    const params = { id: created.id };
    const expiresAt = '2099-12-31T23:59:59Z';
    const token = await call('POST /api/admin/service-account/:id/token', {
      params,
      body: { description: 'for the pipeline', expiresAt },
    });
    expect(token).toMatchObject({ description: 'for the pipeline' });
    expect(Date.parse(token.expiresAt)).toBe(Date.parse(expiresAt));
    const { pats } = await call('GET /api/admin/service-account/:id/token', { params });
    expect(pats).toMatchObject([{ id: token.id, description: 'for the pipeline' }]);
    const changed = { name: 'A better robot', rootRole: editor };
    expect(await call('PUT /api/admin/service-account/:id', { params, body: changed })).toMatchObject(changed);
    const found = async () =>
      (await call('GET /api/admin/service-account')).serviceAccounts.find(
        (account: { id: number }) => account.id === created.id,
      );
    expect(await found()).toMatchObject({ username: 'tf-robot', ...changed });
    const tokenParams = { ...params, tokenId: token.id };
    await call('DELETE /api/admin/service-account/:id/token/:tokenId', { params: tokenParams });
    expect((await call('GET /api/admin/service-account/:id/token', { params })).pats).toEqual([]);
    await call('DELETE /api/admin/service-account/:id', { params });
    expect(await found()).toBeUndefined();
  });

  it('manages a context field', async () => {
    const params = { contextField: 'tf-field' };
    const body = { name: 'tf-field', stickiness: false, legalValues: [] };
    expect(await call('POST /api/admin/context', { body })).toMatchObject(body);
    const legalValues = [{ value: 'gold' }, { value: 'silver', description: 'Second' }];
    await call('PUT /api/admin/context/:contextField', { params, body: { stickiness: true, legalValues } });
    const read = await call('GET /api/admin/context/:contextField', { params });
    expect(read).toMatchObject({ name: 'tf-field', stickiness: true });
    expect(read.legalValues).toEqual(legalValues);
    await call('GET /api/admin/context');
    await call('DELETE /api/admin/context/:contextField', { params });
    await call('GET /api/admin/context/:contextField', { params }, 404);
    const described = { ...body, description: 'What it is' };
    expect(await call('POST /api/admin/context', { body: described })).toMatchObject(described);
    await call('DELETE /api/admin/context/:contextField', { params });
  });

  it('creates, finds by its secret, prolongs and deletes an API token', async () => {
    const body = { tokenName: 'tf-token', type: 'client', environment: 'development', projects: ['default'] };
    const created = await call('POST /api/admin/api-tokens', { body });
    expect(created).toMatchObject({ ...body, project: 'default' });
    const params = { token: created.secret };
    const read = async () =>
      (await call('GET /api/admin/api-tokens')).tokens.find(
        (token: { secret?: string }) => token.secret === created.secret,
      );
    expect(await read()).toMatchObject(body);
    const { tokens } = await call('GET /api/admin/api-tokens/:name', { params: { name: 'tf-token' } });
    expect(tokens).toMatchObject([{ id: created.id }]);
    const expiresAt = '2099-12-31T23:59:59Z';
    await call('PUT /api/admin/api-tokens/:token', { params, body: { expiresAt } });
    expect(Date.parse((await read()).expiresAt)).toBe(Date.parse(expiresAt));
    await call('DELETE /api/admin/api-tokens/:token', { params });
    expect(await read()).toBeUndefined();
  });

  it('manages the login settings', async () => {
    const settings = {
      enabled: false,
      discoverUrl: 'https://provider.example.com/.well-known/openid-configuration',
      clientId: 'yardarm',
      secret: 'a secret of the provider',
      autoCreate: false,
      defaultRootRoleId: 0,
    };
    await call('GET /api/admin/auth/oidc/settings');
    await call('POST /api/admin/auth/oidc/settings', { body: settings });
    expect(await call('GET /api/admin/auth/oidc/settings')).toMatchObject({
      enabled: false,
      discoverUrl: settings.discoverUrl,
      clientId: 'yardarm',
      secret: settings.secret,
      autoCreate: false,
    });
    await call('POST /api/admin/auth/oidc/settings', { body: { enabled: false, clientId: ' ', secret: ' ' } });
    const saml = { enabled: false, certificate: 'c', entityId: 'e', signOnUrl: 'https://id.example.com' };
    await call('POST /api/admin/auth/saml/settings', { body: saml });
    expect(await call('GET /api/admin/auth/saml/settings')).toEqual({ enabled: false });
    const { disabled } = await call('GET /api/admin/auth/simple/settings');
    await call('POST /api/admin/auth/simple/settings', { body: { disabled } });
  });

  it('uses every operation of its client', () => {
    expect(terraformOperations.filter((operation) => !walked.has(operation))).toEqual([]);
  });
});
