import { describe, expect, it } from 'vitest';
import { givenActionPlace, givenSet, turning } from '#testing/actions.ts';
import { freshName } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

/** Creates an environment that the project of a place has. */
async function givenEnvironment(projectId: string): Promise<string> {
  const name = freshName('env');
  await server().admin.call('POST /api/admin/environments', { body: { name, type: 'test' } });
  const add = 'POST /api/admin/projects/:projectId/environments';
  expect((await server().admin.call(add, { params: { projectId }, body: { environment: name } })).status).toBe(200);
  return name;
}

async function given(enabled: boolean) {
  const place = await givenActionPlace(server());
  const environment = await givenEnvironment(place.projectId);
  const turn = turning('OFF', place.projectId, place.flag.featureName);
  const actions = [{ ...turn, executionParams: { ...turn.executionParams, environment } }];
  const set = await givenSet(server(), { name: 'Switch it off', enabled, actions }, place);
  const remove = {
    'service account': () =>
      server().admin.call('DELETE /api/admin/service-account/:id', { params: { id: place.actorId } }),
    endpoint: () =>
      server().admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: place.endpoint.id } }),
    environment: () => server().admin.call('DELETE /api/admin/environments/:name', { params: { name: environment } }),
  };
  return { set, remove };
}

describe.each(['service account', 'endpoint', 'environment'] as const)('deleting the %s of actions', (what) => {
  it('is refused while they are enabled, and names them', async () => {
    const { set, remove } = await given(true);
    const before = await lastEventId(server());
    const { status, json } = await remove[what]();
    expect([status, json.message]).toEqual([
      409,
      expect.stringMatching(
        new RegExp(`${what} .+ the enabled actions Switch it off \\(project ${set.projectId}\\)\\. Disable or change`),
      ),
    ]);
    expect(await eventsAfter(server(), before)).toEqual([]);
  });

  it('is done when they are disabled', async () => {
    const { remove } = await given(false);
    expect((await remove[what]()).status).toBe(200);
  });
});

it('removing an environment from a project is refused while enabled actions of the project use it', async () => {
  const place = await givenActionPlace(server());
  const environment = await givenEnvironment(place.projectId);
  const turn = turning('OFF', place.projectId, place.flag.featureName);
  const actions = [{ ...turn, executionParams: { ...turn.executionParams, environment } }];
  await givenSet(server(), { actions }, place);
  const remove = (projectId: string) =>
    server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', {
      params: { projectId, environment },
    });
  const refused = await remove(place.projectId);
  expect([refused.status, refused.json.message]).toEqual([
    409,
    expect.stringContaining(`The environment ${environment} of the project ${place.projectId} is used by the enabled`),
  ]);
  const other = await givenActionPlace(server());
  await server().admin.call('POST /api/admin/projects/:projectId/environments', {
    params: { projectId: other.projectId },
    body: { environment },
  });
  expect((await remove(other.projectId)).status).toBe(200);
});

it('deleting an environment is refused while values of payloads may name it', async () => {
  const place = await givenActionPlace(server());
  const environment = await givenEnvironment(place.projectId);
  const turn = turning('OFF', place.projectId, place.flag.featureName);
  const actions = [{ ...turn, executionParams: { ...turn.executionParams, environment: '{{env}}' } }];
  await givenSet(server(), { allow: { flags: [], tags: [], environments: [environment] }, actions }, place);
  const reply = await server().admin.call('DELETE /api/admin/environments/:name', { params: { name: environment } });
  expect(reply.status).toBe(409);
});
