import { describe, expect, it } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { calling, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import type { ApiClient } from '#testing/client.ts';
import { givenProject } from '#testing/flags.ts';
import { useReceiver } from '#testing/receiver.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ allowPrivateIntegrationUrls: true, signalEndpointsLimit: 1000 });
const receiver = useReceiver();
const memberRole = 5;

/** Creates a run that calls a URL with secret parts. */
async function given() {
  const place = await givenActionPlace(server());
  const url = `${receiver().url}/secret-path/{{job}}`;
  const set = await givenSet(server(), { actions: [calling(place, url, { body: '{"of": "secret-body"}' })] }, place);
  const signalId = await signal(server(), set, { job: 'nightly', of: 'secret-payload' });
  const [{ id: runId }] = await runsOf(server(), set);
  return { set, signalId, runId: runId as number };
}

/** Returns all texts that a caller can read about a run and its set. */
async function textsOf(client: ApiClient, { set, runId }: Awaited<ReturnType<typeof given>>) {
  const params = { projectId: set.projectId, actionSetId: set.id, runId };
  const replies = [
    await client.call('GET /api/admin/action-runs/:runId', { params }),
    await client.call('GET /api/admin/action-runs/:runId/attempts', { params }),
    await client.call('GET /api/admin/projects/:projectId/actions/:actionSetId/events', { params }),
    await client.call('GET /api/admin/projects/:projectId/actions/:actionSetId/events/:runId', { params }),
    await client.call('GET /api/admin/projects/:projectId/actions', { params }),
    await client.call('GET /api/admin/action-runs'),
  ];
  return { statuses: replies.map(({ status }) => status), text: replies.map(({ text }) => text).join() };
}

describe('a run', () => {
  it('is shown to an editor with its payload, and without the path and body of its call', async () => {
    const run = await given();
    const { statuses, text } = await textsOf(server().client(await server().tokenOf('editor')), run);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expect(text).toContain('secret-payload');
    expect(text).toContain(`${receiver().url}/…`);
    expect(text).not.toContain('secret-path');
    expect(text).not.toContain('secret-body');
  });

  it('is shown to a member of its project without its payload', async () => {
    const run = await given();
    const { client } = await givenMember(server(), run.set.projectId, memberRole);
    const { statuses, text } = await textsOf(client, run);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    for (const secret of ['secret-payload', 'nightly', 'secret-path', 'secret-body'])
      expect(text).not.toContain(secret);
  });

  it('is shown to a member of its project without what its source recognised in the payload', async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place), place);
    const alert = { status: 'firing', fingerprint: 'a', generatorURL: 'https://prometheus.example/secret-link' };
    const payload = { commonLabels: { alertname: 'secret-title' }, alerts: [alert] };
    const signalId = await signal(server(), set, payload);
    const [{ id: runId, signal: seen }] = await runsOf(server(), set);
    expect(seen.normalized).toMatchObject({ title: 'secret-title', elements: [{ link: alert.generatorURL }] });
    const { client } = await givenMember(server(), place.projectId, memberRole);
    const { text } = await textsOf(client, { set, signalId, runId });
    for (const secret of ['secret-title', 'secret-link']) expect(text).not.toContain(secret);
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await freeze(true);
    await signal(server(), set, { ...payload, alerts: [{ ...alert, fingerprint: 'b' }] });
    await freeze(false);
    const now = await client.call('GET /api/admin/now');
    expect(now.json.undecided).toMatchObject([{ actionSetId: set.id, title: null }]);
    expect(now.text).not.toContain('secret-title');
  });

  it('is shown without the path of a call that a cool-down stopped', async () => {
    const place = await givenActionPlace(server());
    const actions = [calling(place, `${receiver().url}/secret-path`)];
    const set = await givenSet(server(), { actions, guards: { cooldownSeconds: 60 } }, place);
    await signal(server(), set);
    const signalId = await signal(server(), set);
    const [{ id: runId, reason }] = await runsOf(server(), set);
    expect(reason).toContain('secret-path');
    const editor = server().client(await server().tokenOf('editor'));
    const { text } = await textsOf(editor, { set, signalId, runId });
    expect(text).toContain('Cool-down: the set called POST');
    expect(text + (await editor.call('GET /api/admin/now')).text).not.toContain('secret-path');
  });

  it('is hidden from members of other projects', async () => {
    const run = await given();
    const { client } = await givenMember(server(), await givenProject(server()), memberRole);
    const { statuses } = await textsOf(client, run);
    expect(statuses).toEqual([404, 404, 403, 403, 403, 200]);
    expect((await client.call('GET /api/admin/action-runs')).json.runs).toEqual([]);
    expect((await client.call('GET /api/admin/now')).json.runs).toEqual([]);
  });
});
