import { addStrategy, type FlagEnvironmentParams, freshName, givenFlag } from './flags.ts';
import type { TestServer } from './server.ts';

/** Creates a shared context field and returns its name; `more` adds fields such as `legalValues`. */
export async function givenContextField(server: TestServer, more: object = {}): Promise<string> {
  const body = { name: freshName('field'), ...more };
  const reply = await server.admin.call('POST /api/admin/context', { body });
  if (reply.status !== 201) throw new Error(`creating a context field answered ${reply.status}: ${reply.text}`);
  return body.name;
}

export const legalValues = [{ value: 'eu' }, { value: 'us' }];

/** Adds a strategy with a constraint on `contextName` to the given flag, or to a new flag of the project. */
export async function givenConstraintOn(
  server: TestServer,
  contextName: string,
  projectId = 'default',
  flag?: FlagEnvironmentParams,
): Promise<FlagEnvironmentParams & { readonly strategyId: string }> {
  const params = flag ?? { ...(await givenFlag(server, {}, projectId)), environment: 'development' };
  const constraints = [{ contextName, operator: 'IN', values: ['eu'] }];
  return { ...params, strategyId: await addStrategy(server, params, { name: 'default', constraints }) };
}

/** Indexes listed context fields by name. */
export function fields(json: readonly { readonly name: string }[]): Record<string, object> {
  return Object.fromEntries(json.map((field) => [field.name, field]));
}
