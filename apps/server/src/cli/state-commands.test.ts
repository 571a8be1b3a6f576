import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCommandLine } from '../../testing/command-line.ts';
import { freshName, givenEnabled, givenProject } from '../../testing/flags.ts';
import { useServer } from '../../testing/server.ts';

const switchRoute = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment';

describe('the commands of state as code', () => {
  const server = useServer();
  const commandLine = useCommandLine(server);

  async function switchFlag(params: Readonly<Record<string, string>>, to: 'on' | 'off', reason?: string) {
    const headers: Record<string, string> =
      reason === undefined ? {} : { 'X-Change-Reason': encodeURIComponent(reason) };
    const { status } = await server().admin.call(`${switchRoute}/${to}`, { params, headers });
    expect(status).toBe(200);
  }

  async function isOn({ projectId, featureName, environment }: Readonly<Record<string, string>>) {
    const route = 'GET /api/admin/projects/:projectId/features/:featureName';
    const { json } = await server().admin.call(route, { params: { projectId, featureName } });
    return json.environments.find(({ name }: { name: string }) => name === environment).enabled;
  }

  async function pulled(project: string) {
    const folder = join(commandLine().directory, freshName('pulled'));
    expect(await commandLine().run(['pull', folder, '--projects', project])).toMatchObject({ code: 0 });
    return { folder, file: join(folder, 'projects', `${project}.yaml`) };
  }

  it('do not switch on what a person has switched off since the pull, and say who, when and why', async () => {
    const { run } = commandLine();
    const projectId = await givenProject(server());
    const params = await givenEnabled(server(), projectId);
    const { folder } = await pulled(projectId);
    await switchFlag(params, 'off', 'payments fail');
    const said = new RegExp(
      `^ {4}${params.featureName} \\(${projectId}\\) in development: switched off by \\S+ at 20\\S+Z: payments fail$`,
      'm',
    );
    const checked = await run(['apply', folder, '--check']);
    expect(checked).toEqual({ code: 2, output: expect.stringMatching(said), errors: '' });
    const refused = await run(['apply', folder, '--yes']);
    expect(refused).toMatchObject({ code: 1, errors: expect.stringMatching(said) });
    expect(refused.errors).toContain('Nothing was changed. Pull the state again, or use --override.');
    expect(await isOn(params)).toBe(false);
    expect(await run(['apply', folder, '--yes', '--override'])).toMatchObject({ code: 0 });
    expect(await isOn(params)).toBe(true);
  });

  it('switch on what was switched off before the pull, and what the files have described as off since', async () => {
    const { run } = commandLine();
    const projectId = await givenProject(server());
    const params = await givenEnabled(server(), projectId);
    await switchFlag(params, 'off');
    const { folder, file } = await pulled(projectId);
    const off = await readFile(file, 'utf8');
    const on = off.replace('enabled: false', 'enabled: true');
    await writeFile(file, on);
    expect(await run(['apply', folder, '--yes'])).toMatchObject({ code: 0 });
    expect(await isOn(params)).toBe(true);
    await switchFlag(params, 'off');
    expect(await run(['apply', folder, '--yes'])).toMatchObject({ code: 1 });
    // The files are changed to what the person did, and later on again.
    await writeFile(file, off);
    expect(await run(['apply', folder, '--check'])).toEqual({ code: 0, output: 'No changes.\n', errors: '' });
    expect(await run(['apply', folder, '--yes'])).toEqual({ code: 0, output: 'No changes.\n', errors: '' });
    await writeFile(file, on);
    expect(await run(['apply', folder, '--yes'])).toMatchObject({ code: 0 });
    expect(await isOn(params)).toBe(true);
  });
});
