import { describe, expect, it } from 'vitest';
import { givenEnabled, givenProject, switchFlag } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const _flagRoute = '/api/admin/projects/:projectId/features/:featureName';

describe('a flag that was switched off by other means than a state', () => {
  const server = useServer();
  type Params = Awaited<ReturnType<typeof givenEnabled>>;

  const exported = async ({ projectId }: Params) =>
    (await server().admin.call('GET /api/admin/state', { query: { projects: projectId } })).json;
  const stateOf = ({ projectId, featureName, environment }: Params, enabled: boolean, more: object = {}) => ({
    version: 1,
    ...more,
    projects: { [projectId]: { flags: { [featureName]: { environments: { [environment]: { enabled } } } } } },
  });
  const plan = async (state: object) =>
    (await server().admin.call('POST /api/admin/state/plan', { body: { state } })).json;
  const apply = (state: object, more: object = {}) =>
    server().admin.call('POST /api/admin/state/apply', { body: { state, ...more } });
  const given = async () => givenEnabled(server(), await givenProject(server()));

  it('is not switched on by a state that was pulled before, except by an override', async () => {
    const params = await given();
    const state = await exported(params);
    await switchFlag(server(), params, 'off');
    expect((await plan(state)).switchedOff).toMatchObject([
      { featureName: params.featureName, environment: 'development', reason: null },
    ]);
    const before = await lastEventId(server());
    const refused = await apply(state);
    expect([refused.status, refused.json.message]).toEqual([409, expect.stringContaining(params.featureName)]);
    expect(await eventsAfter(server(), before)).toEqual([]);
    expect((await apply(state, { override: true })).status).toBe(200);
  });

  it('is not switched on by a state without the position of a pull, or with one of another log', async () => {
    const params = await given();
    await switchFlag(server(), params, 'off');
    const { pulled } = await exported(params);
    expect((await apply(stateOf(params, true))).status).toBe(409);
    expect((await apply(stateOf(params, true, { pulled: { ...pulled, epoch: 'another' } }))).status).toBe(409);
    expect((await apply(stateOf(params, true, { pulled }))).status).toBe(200);
  });

  it('is switched on when a state has described it as off since, also without a change', async () => {
    const params = await given();
    await switchFlag(server(), params, 'off');
    expect(await plan(stateOf(params, false))).toMatchObject({ changes: [], agreedOff: 1 });
    expect((await apply(stateOf(params, false))).json.changes).toEqual([]);
    expect((await plan(stateOf(params, false))).agreedOff).toBe(0);
    expect((await apply(stateOf(params, true))).status).toBe(200);
    // Another switch-off since then counts again.
    await switchFlag(server(), params, 'off');
    expect((await apply(stateOf(params, true))).status).toBe(409);
  });

  it('is not agreed to by a state that is refused, nor by one that leaves the flag out', async () => {
    const params = await given();
    await switchFlag(server(), params, 'off');
    const off = stateOf(params, false);
    expect((await apply(off, { fingerprint: 'another' })).status).toBe(409);
    expect((await apply({ version: 1, projects: { [params.projectId]: {} } })).status).toBe(200);
    expect((await apply(stateOf(params, true))).status).toBe(409);
  });

  it('is told from a flag that a state has switched off, or that was switched on since', async () => {
    const params = await given();
    expect((await apply(stateOf(params, false))).json.changes).toHaveLength(1);
    expect((await apply(stateOf(params, true))).status).toBe(200);
    await switchFlag(server(), params, 'off');
    await switchFlag(server(), params, 'on');
    expect((await apply(stateOf(params, false))).status).toBe(200);
    expect((await apply(stateOf(params, true))).status).toBe(200);
  });

  it('names only the environment in which it was switched off', async () => {
    const params = await given();
    await switchFlag(server(), { ...params, environment: 'production' }, 'on');
    const state = await exported(params);
    await switchFlag(server(), { ...params, environment: 'production' }, 'off');
    expect((await plan(state)).switchedOff).toMatchObject([{ environment: 'production' }]);
    await switchFlag(server(), params, 'off');
    expect((await plan(state)).switchedOff).toHaveLength(2);
  });
});
