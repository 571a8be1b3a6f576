import { beforeEach, describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenMember } from '#testing/access.ts';
import { freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenTagType } from '#testing/tags.ts';

const tagsOfFlag = 'GET /api/admin/features/:featureName/tags';
const deleteTag = 'DELETE /api/admin/tags/:type/:value';
const deleteType = 'DELETE /api/admin/tag-types/:name';

type Tag = Readonly<Record<'type' | 'value', string>>;

describe('tags of flags of a private project', () => {
  const server = useServer();
  let type: string;
  let secret: { readonly projectId: string; readonly featureName: string };
  let inside: Caller;
  let editor: Caller;
  let own: Tag;
  let shared: Tag;

  /**
   * Creates a flag in a private project with two tags: one of its own, and one shared with a flag of an open project.
   */
  beforeEach(async () => {
    type = await givenTagType(server());
    own = { type, value: freshName('own') };
    shared = { type, value: freshName('shared') };
    secret = await givenFlag(server(), { tags: [own, shared] }, await givenProject(server(), { mode: 'private' }));
    await givenFlag(server(), { tags: [shared] });
    inside = await givenMember(server(), secret.projectId, 5);
    editor = await givenCaller(server(), 'Editor');
  });

  const tagsOfSecret = async () =>
    (await server().admin.call(tagsOfFlag, { params: secret })).json.tags.map(({ value }: Tag) => value).toSorted();

  it('are listed for users who see one of the flags', async () => {
    for (const [who, seen] of [
      [editor, [shared.value]],
      [inside, [own.value, shared.value]],
      [{ client: server().admin }, [own.value, shared.value]],
    ] as const) {
      const all = (await who.client.call('GET /api/admin/tags')).json.tags as Tag[];
      const ofType = (await who.client.call('GET /api/admin/tags/:type', { params: { type } })).json.tags as Tag[];
      expect(all.filter((tag) => tag.type === type).map(({ value }) => value)).toEqual(seen);
      expect(ofType.map(({ value }) => value)).toEqual(seen);
      const found = await who.client.call('GET /api/admin/tags/:type/:value', { params: own });
      expect(found.status).toBe(seen.length === 2 ? 200 : 404);
    }
  });

  it('without flags are listed for all users', async () => {
    const tag = { type, value: freshName('free') };
    await server().admin.call('POST /api/admin/tags', { body: tag });
    expect((await editor.client.call('GET /api/admin/tags/:type/:value', { params: tag })).status).toBe(200);
  });

  it('cannot be deleted by users who do not see all of the flags', async () => {
    const before = await lastEventId(server());
    const ofType = await editor.client.call(deleteType, { params: { name: type } });
    const both = await editor.client.call(deleteTag, { params: shared });
    const hidden = await editor.client.call(deleteTag, { params: own });
    expect([ofType.status, both.status, hidden.status]).toEqual([409, 409, 404]);
    for (const { text } of [ofType, both]) {
      expect(text).toContain('projects that you cannot see');
      for (const word of [secret.projectId, secret.featureName, own.value]) expect(text).not.toContain(word);
    }
    expect(await eventsAfter(server(), before)).toEqual([]);
    expect(await tagsOfSecret()).toEqual([own.value, shared.value]);
  });

  it('can be deleted by users who see all of the flags', async () => {
    expect((await server().admin.call(deleteTag, { params: shared })).status).toBe(200);
    expect((await server().admin.call(deleteType, { params: { name: type } })).status).toBe(200);
    expect(await tagsOfSecret()).toEqual([]);
  });

  it('reserve their values, and the error tells nothing else', async () => {
    const create = (body: Tag) => editor.client.call('POST /api/admin/tags', { body });
    expect((await create(shared)).json.message).toContain('already');
    const hidden = await create(own);
    expect([hidden.status, hidden.json.message]).toEqual([
      409,
      `The name ${own.value} is reserved. Choose another name.`,
    ]);
    const { featureName } = await givenFlag(server());
    const route = 'POST /api/admin/features/:featureName/tags';
    expect((await editor.client.call(route, { params: { featureName }, body: own })).status).toBe(201);
    expect(await tagsOfSecret()).toEqual([own.value, shared.value]);
  });
});
