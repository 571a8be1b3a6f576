import type { TestServer } from './server.ts';

let made = 0;

/** A name that nothing else in the test run has. */
export function freshName(what: string): string {
  return `${what}-${++made}`;
}

/** An environment that no project has yet. */
export async function givenEnvironment(server: TestServer, more: object = {}): Promise<string> {
  const name = freshName('env');
  await created(server, 'POST /api/admin/environments', { body: { name, type: 'test', enabled: false, ...more } });
  return name;
}

/** A project with the environments development and production. */
export async function givenProject(server: TestServer, more: object = {}): Promise<string> {
  const id = freshName('project');
  const body = { id, name: id, environments: ['development', 'production'], ...more };
  await created(server, 'POST /api/admin/projects', { body });
  return id;
}

/** What names a flag in the project default, or in another one, as path parameters. */
export interface FlagParams extends Readonly<Record<string, string>> {
  readonly projectId: string;
  readonly featureName: string;
}

export interface FlagEnvironmentParams extends FlagParams {
  readonly environment: string;
}

/** A flag that is off everywhere and has no strategies. */
export async function givenFlag(server: TestServer, more: object = {}, projectId = 'default'): Promise<FlagParams> {
  const body = { name: freshName('flag'), ...more };
  await created(server, 'POST /api/admin/projects/:projectId/features', { params: { projectId }, body });
  return { projectId, featureName: body.name };
}

/** {@link givenFlag}, in development. */
export async function givenFlagIn(
  server: TestServer,
  environment = 'development',
  projectId = 'default',
): Promise<FlagEnvironmentParams> {
  return { ...(await givenFlag(server, {}, projectId)), environment };
}

/** A flag that was archived. */
export async function givenArchived(server: TestServer, projectId = 'default'): Promise<FlagParams> {
  const params = await givenFlag(server, {}, projectId);
  await created(server, 'DELETE /api/admin/projects/:projectId/features/:featureName', { params });
  return params;
}

/** A flag that is on in development, with the one strategy it got by that. */
export async function givenEnabled(server: TestServer, projectId = 'default'): Promise<FlagEnvironmentParams> {
  const params = await givenFlagIn(server, 'development', projectId);
  await created(server, 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on', {
    params,
  });
  return params;
}

/** A flag with one strategy in development, switched off there. */
export async function givenStrategy(
  server: TestServer,
  body: object = { name: 'default' },
): Promise<FlagEnvironmentParams & { readonly strategyId: string }> {
  const params = await givenFlagIn(server);
  return { ...params, strategyId: await addStrategy(server, params, body) };
}

/** Adds a strategy and answers its id. */
export async function addStrategy(server: TestServer, params: FlagEnvironmentParams, body: object): Promise<string> {
  const reply = await created(
    server,
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
    { params, body },
  );
  return reply.json.id;
}

/** A flag that depends on another one, `parent`, in a project of their own; the parent's name begins with the project's. */
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

/** A link of a flag, with its id. */
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

/** A project of its own, or that one, with a default strategy in production. */
export async function givenDefault(server: TestServer, body: object, project?: string) {
  const params = { projectId: project ?? (await givenProject(server)), environment: 'production' };
  await created(server, 'POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
    params,
    body,
  });
  return params;
}

/** A custom strategy, named as the parameters of paths name it. */
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
