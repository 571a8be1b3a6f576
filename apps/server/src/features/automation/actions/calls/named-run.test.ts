import { describe, expect, it } from 'vitest';
import { calling, givenActionPlace, givenSet, runsOf, setBody, signal } from '#testing/actions.ts';
import { freshName } from '#testing/flags.ts';
import { useReceiver } from '#testing/receiver.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ allowPrivateIntegrationUrls: true });
const receiver = useReceiver();

describe('an action that calls a URL', () => {
  it('fills in the id and URL of the run, even when the payload has the same fields', async () => {
    const place = await givenActionPlace(server());
    const path = `/${freshName('call')}`;
    const actions = [
      calling(place, `${receiver().url}${path}`, {
        headers: '{"X-Run": "{{run.id}}"}',
        body: '{"run": "{{run.url}}", "job": "{{run.name}}"}',
      }),
    ];
    const set = await givenSet(server(), { actions }, place);
    await signal(server(), set, { run: { id: 'ours', url: 'https://evil.example.com', name: 'nightly' } });
    const [{ id }] = await runsOf(server(), set);
    const call = receiver().received.find((request) => request.path === path);
    expect(JSON.parse(call?.body ?? '')).toEqual({ run: `${server().url}/runs/${id}`, job: 'nightly' });
    expect(call?.headers['x-run']).toBe(String(id));
    const page = await server().admin.call('GET /api/admin/action-runs/:runId', { params: { runId: id } });
    expect(page.json.actionSet.actions[0].executionParams.body).toBe(call?.body);
  });

  it('uses run 0 in a dry run, and must not use run values in the URL, which the cool-down compares', async () => {
    const place = await givenActionPlace(server());
    const set = (url: string, body: string) => setBody(place, { actions: [calling(place, url, { body })] });
    const dryRun = await server().admin.call('POST /api/admin/projects/:projectId/actions/rehearse', {
      params: { projectId: place.projectId },
      body: { set: set(`${receiver().url}/a`, '{"run": "{{run.url}}"}'), payload: {} },
    });
    expect(dryRun.json.views[0].actions[0].call.body).toBe(`{"run": "${server().url}/runs/0"}`);
    const reply = await server().admin.call('POST /api/admin/projects/:projectId/actions', {
      params: { projectId: place.projectId },
      body: set(`${receiver().url}/a?run={{ run.id }}`, ''),
    });
    expect(reply.status).toBe(400);
    expect(reply.json.details).toEqual([
      { path: 'actions.0.executionParams.url', message: expect.stringContaining('must not contain {{run') },
    ]);
  });
});
