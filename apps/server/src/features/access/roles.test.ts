import { environmentPermissions, projectPermissions, type RouteSpec, rootPermissions, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { ApiClient, Reply } from '../../../testing/client.ts';
import { useServer } from '../../../testing/server.ts';

type Key = keyof typeof routes;

/** Every route that asks for a permission, with those of which one is enough. */
const guarded = (Object.entries(routes) as [Key, RouteSpec][]).flatMap(([key, { access }]) =>
  typeof access === 'object' ? [{ key, needed: [access.permission].flat() }] : [],
);

/** Sends what is refused at the latest because it names nothing that exists. */
function knock(client: ApiClient, key: Key): Promise<Reply> {
  return client.call(key, key.startsWith('GET ') ? {} : { body: {} });
}

const editorHolds = new Set<string>([
  ...projectPermissions,
  ...environmentPermissions,
  ...rootPermissions.filter((permission) =>
    /^CREATE_PROJECT$|_(API_TOKEN|SEGMENT|CONTEXT_FIELD|STRATEGY|TAG_TYPE)$/.test(permission),
  ),
]);

describe('the root roles', () => {
  const server = useServer();
  const isRefused = (reply: Reply) => reply.status === 403 && reply.json.name === 'PermissionError';

  it.each(guarded)('a viewer may not $key', async ({ key, needed }) => {
    const reply = await knock(server().client(await server().tokenOf('viewer')), key);
    expect(isRefused(reply)).toBe(true);
    expect(reply.json.permissions).toEqual(needed);
  });

  it.each(guarded)('an editor may $key if a permission that editors hold is enough', async ({ key, needed }) => {
    const reply = await knock(server().client(await server().tokenOf('editor')), key);
    expect(isRefused(reply)).toBe(!needed.some((permission) => editorHolds.has(permission)));
  });

  it.each(guarded)('an administrator may $key', async ({ key }) => {
    expect(isRefused(await knock(server().admin, key))).toBe(false);
  });
});
