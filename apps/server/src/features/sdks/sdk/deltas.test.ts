import { describe, expect, it } from 'vitest';
import type { ApiClient, Reply } from '#testing/client.ts';
import { addStrategy, givenFlag, givenFlagIn, givenProject, switchFlag } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';

const delta = (sdk: ApiClient, etag?: string) =>
  sdk.call('GET /api/client/delta', etag === undefined ? {} : { headers: { 'if-none-match': etag } });
const etagOf = ({ headers }: Reply): string => headers.get('etag') ?? 'none';
const typesOf = ({ json }: Reply): string[] => json.events.map(({ type }: { type: string }) => type);

describe('GET /api/client/delta', () => {
  const server = useServer();

  it('returns all flags first, then each changed flag once, in its current form', async () => {
    const sdk = await givenSdk(server());
    const params = await givenFlagIn(server());
    const first = await delta(sdk);
    expect(typesOf(first)).toEqual(['hydration']);
    expect((await delta(sdk, etagOf(first))).status).toBe(304);
    await switchFlag(server(), params, 'on');
    await switchFlag(server(), params, 'off');
    await switchFlag(server(), params, 'on');
    const second = await delta(sdk, etagOf(first));
    expect(second.json.events).toMatchObject([
      { type: 'feature-updated', feature: { name: params.featureName, enabled: true } },
    ]);
    expect(etagOf(second)).toMatch(new RegExp(`^"${second.json.events[0].eventId}:[0-9a-f]+"$`));
    const third = await delta(sdk, etagOf(second));
    expect([third.status, third.text, etagOf(third)]).toEqual([304, '', etagOf(second)]);
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
    expect((await delta(sdk, etagOf(second))).json.events).toMatchObject([
      { type: 'feature-removed', featureName: params.featureName, project: params.projectId },
    ]);
  });

  it('answers 304 after a change in another environment or in a project outside the token’s scope', async () => {
    const projectId = await givenProject(server());
    const sdk = await givenSdk(server(), { projects: [projectId] });
    const first = etagOf(await delta(sdk));
    await switchFlag(server(), { ...(await givenFlagIn(server(), 'production')), environment: 'production' }, 'on');
    const inside = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
    const created = await delta(sdk, first);
    expect(typesOf(created)).toEqual(['feature-updated']);
    await switchFlag(server(), inside, 'on');
    const elsewhere = await givenFlagIn(server());
    await switchFlag(server(), elsewhere, 'on');
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: elsewhere });
    expect((await delta(sdk, etagOf(created))).status).toBe(304);
  });

  it('removes a flag that moved out of the token’s projects, and does not mention it to other tokens', async () => {
    const [from, to, other] = [
      await givenProject(server()),
      await givenProject(server()),
      await givenProject(server()),
    ];
    const flag = await givenFlag(server(), {}, from);
    const sdks = await Promise.all([from, to, other].map((project) => givenSdk(server(), { projects: [project] })));
    const before = await Promise.all(sdks.map(async (sdk) => etagOf(await delta(sdk))));
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/changeProject';
    await server().admin.call(route, { params: flag, body: { newProjectId: to } });
    const after = await Promise.all(sdks.map((sdk, index) => delta(sdk, before[index])));
    expect(after.map(({ status }) => status)).toEqual([200, 200, 304]);
    expect(after[0]?.json.events).toMatchObject([{ type: 'feature-removed', project: from }]);
    expect(after[1]?.json.events).toMatchObject([{ type: 'feature-updated', feature: { project: to } }]);
  });

  it('sends a segment before the flag that uses it, again when it changes, and its removal', async () => {
    const { id, name } = await givenSegment(server());
    const params = await givenFlagIn(server());
    const sdk = await givenSdk(server());
    const first = etagOf(await delta(sdk));
    const strategyId = await addStrategy(server(), params, { name: 'default', segments: [id] });
    const used = await delta(sdk, first);
    expect(typesOf(used)).toEqual(['segment-updated', 'feature-updated']);
    expect(used.json.events[0].segment.id).toBe(id);

    const constraints = [{ contextName: 'country', operator: 'IN', values: ['SE'] }];
    await server().admin.call('PUT /api/admin/segments/:id', { params: { id }, body: { name, constraints } });
    const changed = await delta(sdk, etagOf(used));
    expect(changed.json.events).toMatchObject([
      { type: 'segment-updated', segment: { id, constraints: [{ values: ['SE'] }] } },
    ]);

    const strategies = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies';
    await server().admin.call(`DELETE ${strategies}/:strategyId`, { params: { ...params, strategyId } });
    await server().admin.call('DELETE /api/admin/segments/:id', { params: { id } });
    expect(typesOf(await delta(sdk, etagOf(changed)))).toEqual(['feature-updated', 'segment-removed']);
  });

  it.each([['"999999999"'], ['"1"'], ['other'], ['"abc:1:v1"'], ['"1:abc"'], ['']])(
    'returns all flags for the unknown ETag %j',
    async (etag) => {
      expect(typesOf(await delta(await givenSdk(server()), etag))).toEqual(['hydration']);
    },
  );

  it.each([
    ['an ETag without quotes', (etag: string) => etag.slice(1, -1)],
    ['a weak ETag', (etag: string) => `W/${etag}`],
  ])('answers 304 for %s', async (_form, written) => {
    const sdk = await givenSdk(server());
    expect((await delta(sdk, written(etagOf(await delta(sdk))))).status).toBe(304);
  });

  it('answers the same 304 with and without calling the route', async () => {
    const sdk = await givenSdk(server());
    const known = { headers: { 'if-none-match': etagOf(await delta(sdk)) } };
    const [early, byRoute] = await Promise.all(
      ['/api/client/delta', '/api/client/delta?'].map((path) => sdk.request('GET', path, known)),
    );
    const stableHeaders = (reply: Reply | undefined) => {
      const { 'x-request-id': _id, date: _date, ...rest } = Object.fromEntries(reply?.headers ?? []);
      return { status: reply?.status, ...rest };
    };
    expect(stableHeaders(early)).toEqual({ ...stableHeaders(byRoute), status: 304 });
  });
});

describe('GET /api/client/delta after a restart', () => {
  it('answers 304 when nothing changed, and then the delta', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-after-it'] };
    const first = await startServer(storage, settings);
    const { secret } = await givenToken(first);
    const params = await givenFlagIn(first);
    await switchFlag(first, params, 'on');
    const before = etagOf(await delta(first.client(secret)));
    // The newest event does not affect SDKs.
    await givenToken(first);
    await first.stop();

    const second = await startServer(storage, settings);
    const sdk = second.client(secret);
    const unchanged = await delta(sdk, before);
    await switchFlag(second, params, 'off');
    const changed = await delta(sdk, before);
    await second.stop();
    await storage.remove();
    expect(unchanged.status).toBe(304);
    expect(typesOf(changed)).toEqual(['feature-updated']);
  });
});
