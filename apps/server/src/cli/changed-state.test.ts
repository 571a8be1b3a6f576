import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteKey } from '@yardarm/contract';
import { expect, it, onTestFinished, vi } from 'vitest';
import { stringify } from 'yaml';
import { freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { Refusal, type Remote } from './remote.ts';
import { applyFolder } from './state-commands.ts';

const server = useServer();

it('other changes than those that were shown are not applied: the state that has changed meanwhile is planned again', async () => {
  const projectId = await givenProject(server());
  const { featureName } = await givenFlag(server(), {}, projectId);
  const params = { projectId, featureName };
  const folder = await mkdtemp(join(tmpdir(), 'yardarm-changed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const flags = { [featureName]: { description: freshName('of the file') } };
  await writeFile(join(folder, 'state.yaml'), stringify({ version: 1, projects: { [projectId]: { flags } } }));
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const change = async (description: string) => {
    const route = 'PATCH /api/admin/projects/:projectId/features/:featureName';
    const body = [{ op: 'replace', path: '/description', value: description }];
    expect((await server().admin.call(route, { params, body })).status).toBe(200);
  };
  let meanwhile: string | undefined = 'of a colleague';
  const remote: Remote = {
    url: server().url,
    call: async (key: RouteKey, body?: unknown) => {
      const { status, json } = await server().admin.request(...split(key), { body });
      if (status >= 400) throw new Refusal(status, json);
      if (key.endsWith('/plan') && meanwhile !== undefined) await change(meanwhile);
      return json;
    },
  };
  await expect(applyFolder(remote, folder, { yes: true })).rejects.toMatchObject({ status: 409 });
  const described = async () =>
    (await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params })).json
      .description;
  expect(await described()).toBe('of a colleague');
  meanwhile = undefined;
  expect(await applyFolder(remote, folder, { yes: true })).toBe(0);
  expect(await described()).toBe(flags[featureName]?.description);
});

const split = (key: RouteKey) => key.split(' ') as [string, string];
