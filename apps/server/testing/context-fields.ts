import { addStrategy, type FlagEnvironmentParams, freshName, givenFlag } from './flags.ts';
import type { TestServer } from './server.ts';

/** A context field of all projects; with `legalValues` what constraints may compare it with. */
export async function givenContextField(server: TestServer, more: object = {}): Promise<string> {
  const body = { name: freshName('field'), ...more };
  const reply = await server.admin.call('POST /api/admin/context', { body });
  if (reply.status !== 201) throw new Error(`creating a context field answered ${reply.status}: ${reply.text}`);
  return body.name;
}

/** Legal values for a field. */
export const legalValues = [{ value: 'eu' }, { value: 'us' }];

/** Adds a strategy with a constraint on `contextName` to a flag, or to a new one of a project. */
export async function asksAbout(
  server: TestServer,
  contextName: string,
  projectId = 'default',
  flag?: FlagEnvironmentParams,
): Promise<FlagEnvironmentParams & { readonly strategyId: string }> {
  const params = flag ?? { ...(await givenFlag(server, {}, projectId)), environment: 'development' };
  const constraints = [{ contextName, operator: 'IN', values: ['eu'] }];
  return { ...params, strategyId: await addStrategy(server, params, { name: 'default', constraints }) };
}

/** Answered context fields by their names. */
export function fields(json: readonly { readonly name: string }[]): Record<string, object> {
  return Object.fromEntries(json.map((field) => [field.name, field]));
}
