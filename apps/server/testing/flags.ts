import type { TestServer } from './server.ts';

let made = 0;

/** Returns a name that is unique in the test run. */
export function freshName(prefix: string): string {
  return `${prefix}-${++made}`;
}

/** Creates an environment that belongs to no project. */
export async function givenEnvironment(server: TestServer, more: object = {}): Promise<string> {
  const name = freshName('env');
  await created(server, 'POST /api/admin/environments', { body: { name, type: 'test', enabled: false, ...more } });
  return name;
}

/** Creates a project with the environments development and production. */
export async function givenProject(server: TestServer, more: object = {}): Promise<string> {
  const id = freshName('project');
  const body = { id, name: id, environments: ['development', 'production'], ...more };
  await created(server, 'POST /api/admin/projects', { body });
  return id;
}

/** Path parameters of a flag. */
export interface FlagParams extends Readonly<Record<string, string>> {
  readonly projectId: string;
  readonly featureName: string;
}

export interface FlagEnvironmentParams extends FlagParams {
  readonly environment: string;
}

/** Creates a flag that is off in all environments and has no strategies. */
export async function givenFlag(server: TestServer, more: object = {}, projectId = 'default'): Promise<FlagParams> {
  const body = { name: freshName('flag'), ...more };
  await created(server, 'POST /api/admin/projects/:projectId/features', { params: { projectId }, body });
  return { projectId, featureName: body.name };
}

/** Creates a flag like {@link givenFlag}; the parameters name an environment, by default development. */
export async function givenFlagIn(
  server: TestServer,
  environment = 'development',
  projectId = 'default',
): Promise<FlagEnvironmentParams> {
  return { ...(await givenFlag(server, {}, projectId)), environment };
}

/** Creates an archived flag. */
export async function givenArchived(server: TestServer, projectId = 'default'): Promise<FlagParams> {
  const params = await givenFlag(server, {}, projectId);
  await created(server, 'DELETE /api/admin/projects/:projectId/features/:featureName', { params });
  return params;
}

/** Creates a flag that is on in development, with the default strategy. */
export async function givenEnabled(server: TestServer, projectId = 'default'): Promise<FlagEnvironmentParams> {
  const params = await givenFlagIn(server, 'development', projectId);
  await switchFlag(server, params, 'on');
  return params;
}

/** Switches a flag on or off in an environment. */
export async function switchFlag(server: TestServer, params: FlagEnvironmentParams, to: 'on' | 'off'): Promise<void> {
  const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
  await created(server, `POST ${flag}/environments/:environment/${to}`, { params });
}

/** Creates a flag that is off in development and has one strategy there. */
export async function givenStrategy(
  server: TestServer,
  body: object = { name: 'default' },
): Promise<FlagEnvironmentParams & { readonly strategyId: string }> {
  const params = await givenFlagIn(server);
  return { ...params, strategyId: await addStrategy(server, params, body) };
}

/** Adds a strategy and returns its id. */
export async function addStrategy(server: TestServer, params: FlagEnvironmentParams, body: object): Promise<string> {
  const reply = await created(
    server,
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
    { params, body },
  );
  return reply.json.id;
}

/** Creates a flag and its parent flag in a new project. The name of the parent begins with the project id. */
export async function givenDependency(
  server: TestServer,
  more: object = {},
): Promise<FlagParams & { readonly parent: string }> {
  const projectId = await givenProject(server);
  const parent = `${projectId}.${freshName('parent')}`;
  await givenFlag(server, { name: parent }, projectId);
  const params = await givenFlag(server, {}, projectId);
  const body = { feature: parent, ...more };
  await created(server, 'POST /api/admin/projects/:projectId/features/:featureName/dependencies', { params, body });
  return { ...params, parent };
}

/** Adds a link to a flag and returns the parameters with its id. */
export async function givenLink(
  server: TestServer,
  body: object,
  flag?: FlagParams,
): Promise<FlagParams & { readonly linkId: string }> {
  const params = flag ?? (await givenFlag(server));
  await created(server, 'POST /api/admin/projects/:projectId/features/:featureName/link', { params, body });
  const { json } = await created(server, 'GET /api/admin/projects/:projectId/features/:featureName', { params });
  return { ...params, linkId: json.links.at(-1).id };
}

/** Sets the default strategy in production, of a new project unless `project` is given. */
export async function givenDefault(server: TestServer, body: object, project?: string) {
  const params = { projectId: project ?? (await givenProject(server)), environment: 'production' };
  await created(server, 'POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
    params,
    body,
  });
  return params;
}

/** Creates a custom strategy type and returns its name as a path parameter. */
export async function givenDefinition(
  server: TestServer,
  parameters: readonly object[] = [{ name: 'companies', type: 'list' }],
): Promise<{ readonly name: string; readonly strategyName: string }> {
  const name = freshName('strategy');
  await created(server, 'POST /api/admin/strategies', { body: { name, parameters } });
  return { name, strategyName: name };
}

async function created(server: TestServer, ...[route, call]: Parameters<TestServer['admin']['call']>) {
  const reply = await server.admin.call(route, call);
  if (reply.status >= 300) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
  return reply;
}
