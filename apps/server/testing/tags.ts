import { freshName, givenFlag } from './flags.ts';
import type { TestServer } from './server.ts';

/** Creates a tag type without tags. */
export async function givenTagType(server: TestServer, more: object = {}) {
  const name = freshName('type');
  await server.admin.call('POST /api/admin/tag-types', { body: { name, ...more } });
  return name;
}

/** Creates two flags with the same tag, one of them archived. */
export async function givenBorneTag(server: TestServer, type: string) {
  const tag = { type, value: freshName('borne') };
  for (const archived of [false, true]) {
    const params = await givenFlag(server, { tags: [tag, { type: 'simple', value: 'stays' }] });
    const route = 'DELETE /api/admin/projects/:projectId/features/:featureName';
    if (archived) await server.admin.call(route, { params });
  }
  return tag;
}
