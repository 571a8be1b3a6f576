import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { givenActionPlace } from '#testing/actions.ts';
import { givenPlace } from '#testing/change-requests.ts';
import { useCommandLine } from '#testing/command-line.ts';
import { type FlagEnvironmentParams, freshName, givenEnabled, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const switchRoute = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment';

describe('the commands of state as code', () => {
  const server = useServer();
  const commandLine = useCommandLine(server);

  async function switchFlag(params: FlagEnvironmentParams, to: 'on' | 'off', reason?: string) {
    const headers: Record<string, string> =
      reason === undefined ? {} : { 'X-Change-Reason': encodeURIComponent(reason) };
    const { status } = await server().admin.call(`${switchRoute}/${to}`, { params, headers });
    expect(status).toBe(200);
  }

  async function isOn({ projectId, featureName, environment }: FlagEnvironmentParams) {
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

  it('leave switches to people where the files say so, also after the files are pulled again', async () => {
    const { run } = commandLine();
    const projectId = await givenProject(server());
    const [left, kept] = [await givenEnabled(server(), projectId), await givenEnabled(server(), projectId)];
    const { folder, file } = await pulled(projectId);
    const state = parse(await readFile(file, 'utf8'));
    const flags = state.projects[projectId].flags;
    flags[left.featureName].switchedBy = 'people';
    await writeFile(file, stringify(state));
    const refused = await run(['apply', folder, '--yes']);
    const place = `.flags.${left.featureName}.environments.development.enabled must be left out: people switch this flag`;
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining(place) });
    expect(refused.errors).toMatch(new RegExp(`^${file}:\\d+:\\d+ `));
    for (const environment of Object.values<{ enabled?: boolean }>(flags[left.featureName].environments))
      delete environment.enabled;
    await writeFile(file, stringify(state));
    await switchFlag(left, 'off');
    expect(await run(['apply', folder, '--check'])).toMatchObject({ code: 0 });
    expect(await run(['pull', folder, '--projects', projectId, '--force'])).toMatchObject({ code: 0 });
    const again = parse(await readFile(file, 'utf8')).projects[projectId].flags;
    expect(again[left.featureName]).toMatchObject({ switchedBy: 'people' });
    expect(again[left.featureName].environments.development).not.toHaveProperty('enabled');
    expect(again[kept.featureName].environments.development).toMatchObject({ enabled: true });
  });

  it('leave the switches of a whole project to people, except of flags that the files switch', async () => {
    const { run, folderOf } = commandLine();
    const projectId = await givenProject(server());
    const [left, switched] = [await givenEnabled(server(), projectId), await givenEnabled(server(), projectId)];
    const off = { environments: { development: { enabled: false } } };
    const files = (flag: object) => {
      const flags = { [left.featureName]: flag, [switched.featureName]: { switchedBy: 'files', ...off } };
      return { 'a.yaml': stringify({ version: 1, projects: { [projectId]: { switchedBy: 'people', flags } } }) };
    };
    expect(await run(['apply', await folderOf(files(off)), '--yes'])).toMatchObject({ code: 1 });
    expect(await run(['apply', await folderOf(files({ description: 'Described' })), '--yes'])).toMatchObject({
      code: 0,
    });
    expect([await isOn(left), await isOn(switched)]).toEqual([true, false]);
    // The setting may stand in another file than the flag.
    const apart = await folderOf({
      'project.yaml': stringify({ version: 1, projects: { [projectId]: { switchedBy: 'people' } } }),
      'flags.yaml': stringify({ version: 1, projects: { [projectId]: { flags: { [left.featureName]: off } } } }),
    });
    const refused = await run(['apply', apart, '--yes']);
    expect(refused.errors).toMatch(/flags\.yaml:\d+:\d+ .*must be left out: people switch this flag/);
    expect(await isOn(left)).toBe(true);
  });

  it('pull without switches into files that leave them to people from then on', async () => {
    const { run, directory } = commandLine();
    const projectId = await givenProject(server());
    await givenEnabled(server(), projectId);
    const folder = join(directory, freshName('pulled'));
    const pull = ['pull', folder, '--projects', projectId];
    expect(await run([...pull, '--without-switches'])).toMatchObject({ code: 0 });
    expect(await run([...pull, '--force'])).toMatchObject({ code: 0 });
    const text = await readFile(join(folder, 'projects', `${projectId}.yaml`), 'utf8');
    expect(text).toContain('switchedBy: people');
    expect(text).not.toContain('enabled:');
  });

  it('write a plan that is applied as it was checked, and is refused when the state has moved', async () => {
    const { run, directory } = commandLine();
    const projectId = await givenProject(server());
    const params = await givenEnabled(server(), projectId);
    const { folder, file } = await pulled(projectId);
    const described = (text: string) => async () =>
      writeFile(file, (await readFile(file, 'utf8')).replace(/type: \w+/, `type: ${text}`));
    const typeOf = async () => {
      const route = 'GET /api/admin/projects/:projectId/features/:featureName';
      return (await server().admin.call(route, { params })).json.type;
    };
    await described('experiment')();
    const plan = join(directory, freshName('plan.json'));
    expect(await run(['apply', folder, '--out', plan])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('--check'),
    });
    const checked = await run(['apply', folder, '--check', '--out', plan]);
    expect(checked).toMatchObject({ code: 2, output: expect.stringContaining(`Wrote the plan to ${plan}.`) });
    expect(JSON.parse(await readFile(plan, 'utf8'))).toMatchObject({
      format: 'yardarm-plan',
      fingerprint: expect.any(String),
      changes: [{ type: 'feature-metadata-updated', name: params.featureName }],
    });
    // A later change of the folder is not applied.
    await described('operational')();
    expect(await run(['apply', plan, '--prune', '--yes'])).toMatchObject({ code: 1 });
    expect(await run(['apply', plan, '--yes'])).toMatchObject({ code: 0 });
    expect(await typeOf()).toBe('experiment');
    const moved = await run(['apply', plan, '--yes']);
    expect(moved).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The state has changed since this plan was made'),
    });
    expect(await run(['apply', folder, '--check', '--out', plan])).toMatchObject({ code: 2 });
    await server().admin.call('PUT /api/admin/projects/:projectId/features/:featureName', {
      params,
      body: { type: 'kill-switch' },
    });
    expect(await run(['apply', plan, '--yes'])).toMatchObject({ code: 1 });
    expect(await typeOf()).toBe('kill-switch');
    expect(await run(['apply', file, '--yes'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is not a plan'),
    });
  });

  describe('with secrets from the environment', () => {
    const value = 'Bearer "s3cr3t" /of the environment';

    async function calls(parameters: object) {
      const place = await givenActionPlace(server());
      const { json } = await server().admin.call('GET /api/admin/service-account');
      const { username } = json.serviceAccounts.find(({ id }: { id: number }) => id === place.actorId);
      const set = {
        serviceAccount: username,
        when: { endpoint: place.endpoint.name },
        do: [{ action: 'CALL_URL', parameters: { method: 'POST', contentType: 'text/plain', ...parameters } }],
      };
      const projects = { [place.projectId]: { actions: { Call: set } } };
      const folder = await commandLine().folderOf({ 'calls.yaml': stringify({ version: 1, projects }) });
      return { folder, place };
    }

    it('put them into the parameters of actions, and show them nowhere', async () => {
      const { run, directory } = commandLine();
      const parameters = { url: `https://8.8.8.8/\${PATH_SECRET}`, body: `text \${CALL_SECRET} $\${LITERAL}` };
      const { folder, place } = await calls(parameters);
      const before = await lastEventId(server());
      const variables = { CALL_SECRET: value, PATH_SECRET: 'hidden-path' };
      const plan = join(directory, freshName('plan.json'));
      const shown = [
        await run(['apply', folder, '--check', '--out', plan], variables),
        await run(['apply', folder, '--check', '--json'], variables),
        await run(['apply', plan, '--yes', '--json'], variables),
      ];
      expect(shown.map(({ code, errors }) => [code, errors])).toEqual([
        [2, ''],
        [2, ''],
        [0, ''],
      ]);
      const route = 'GET /api/admin/projects/:projectId/actions';
      const { json } = await server().admin.call(route, { params: { projectId: place.projectId } });
      expect(json.actions[0].actions[0].executionParams).toMatchObject({
        url: 'https://8.8.8.8/hidden-path',
        body: `text ${value} \${LITERAL}`,
      });
      const written = await readFile(plan, 'utf8');
      for (const text of [...shown.flatMap(({ output, errors }) => [output, errors]), written])
        for (const secret of ['s3cr3t', 'hidden-path']) expect(text).not.toContain(secret);
      expect(written).toContain(`\${CALL_SECRET}`);
      expect(shown[0]?.output).toContain(`\${PATH_SECRET}`);
      expect((await eventsAfter(server(), before)).map(({ type }) => type)).toContain('actions-created');
      // A pulled folder has the text, without the placeholder, and changes nothing.
      const again = await pulled(place.projectId);
      expect(await run(['apply', again.folder, '--check'])).toMatchObject({ code: 0 });
      expect(await readFile(again.file, 'utf8')).toContain(`$\${LITERAL}`);
    });

    it('name each missing variable with its place, before anything is planned, and no value in errors', async () => {
      const { run } = commandLine();
      const { folder } = await calls({ url: `https://8.8.8.8/\${NOT_SET}`, headers: `{"a": "\${EMPTY}"}` });
      const { code, errors } = await run(['apply', folder, '--yes', '--url', 'http://127.0.0.1:1'], { EMPTY: '' });
      expect(code).toBe(1);
      expect(errors).toMatch(/calls\.yaml:\d+:\d+ .*url names NOT_SET, an environment variable that is not set\./);
      expect(errors).toMatch(/calls\.yaml:\d+:\d+ .*headers names EMPTY, /);
      const refused = await calls({ url: `\${ADDRESS}` });
      const wrong = await run(['apply', refused.folder, '--yes', '--json'], { ADDRESS: 'ftp://not.an-address' });
      expect(wrong.code).toBe(1);
      expect(wrong.output + wrong.errors).not.toContain('not.an-address');
    });
  });

  it('send to review what has to be reviewed, apply the rest, and say so', async () => {
    const { run } = commandLine();
    const { params, author } = await givenPlace(server());
    const { projectId, featureName } = params;
    const segment = (await givenSegment(server(), { project: projectId })).name;
    const releasePlan = { milestones: [{ name: 'All', strategies: [{ name: 'default' }] }] };
    const flag = { description: 'Of the files', environments: { development: { enabled: true, releasePlan } } };
    const projects = { [projectId]: { flags: { [featureName]: flag } } };
    const state = { version: 1, projects, segments: { [segment]: { constraints: [] } } };
    const folder = await commandLine().folderOf({ 'a.yaml': stringify(state) });
    const by = { YARDARM_TOKEN: author.token };
    const review = `Changes in development of ${projectId} need review: apply requests them, for ${featureName}, ${segment}.`;
    const checked = await run(['apply', folder, '--check'], by);
    expect(checked).toMatchObject({ code: 2, output: expect.stringContaining(review) });
    expect(checked.output).not.toContain('The token may not apply this');
    const applied = await run(['apply', folder, '--yes'], by);
    expect(applied).toMatchObject({ code: 0, output: expect.stringContaining('\nApplied.\nChange request ') });
    expect(applied.output).toMatch(
      new RegExp(
        `in development of ${projectId} was sent to review: http\\S+/projects/${projectId}/change-requests/\\d+\\n$`,
      ),
    );
    expect(await isOn(params)).toBe(false);
    const again = await run(['apply', folder, '--yes', '--json'], by);
    expect(JSON.parse(again.output)).toMatchObject({
      applied: true,
      changes: [],
      changeRequests: [{ project: projectId, environment: 'development', isNew: false }],
    });
  });

  it('print what they did as JSON, also when they fail', async () => {
    const { run } = commandLine();
    const projectId = await givenProject(server());
    const params = await givenEnabled(server(), projectId);
    const folder = join(commandLine().directory, freshName('pulled'));
    const wrote = await run(['pull', folder, '--projects', projectId, '--json']);
    expect(JSON.parse(wrote.output)).toMatchObject({ folder, files: expect.arrayContaining(['pulled.yaml']) });
    const inJson = async (...more: string[]) => {
      const { code, output } = await run(['apply', folder, '--json', ...more]);
      return { code, ...JSON.parse(output) };
    };
    expect(await inJson('--check')).toMatchObject({ code: 0, changes: [], applied: false });
    await switchFlag(params, 'off', 'payments fail');
    const change = { type: 'feature-environment-enabled', name: params.featureName };
    const switchedOff = [{ featureName: params.featureName, environment: 'development', reason: 'payments fail' }];
    expect(await inJson('--check')).toMatchObject({ code: 2, changes: [change], switchedOff, applied: false });
    expect(await inJson('--yes')).toMatchObject({ code: 1, switchedOff, applied: false, error: expect.any(String) });
    expect(await inJson()).toMatchObject({ code: 1, applied: false, error: expect.stringContaining('--yes') });
    expect(await inJson('--yes', '--override')).toMatchObject({ code: 0, changes: [change], applied: true });
    const broken = `version: 1\nprojects: {${projectId}: {flags: {${params.featureName}: {environments: {nowhere: {}}}}}}\n`;
    const wrong = await run(['apply', await commandLine().folderOf({ 'a.yaml': broken }), '--json', '--yes']);
    expect(JSON.parse(wrong.output)).toMatchObject({
      applied: false,
      errors: [{ place: expect.stringMatching(/a\.yaml:2:\d+$/), path: expect.stringContaining('nowhere') }],
    });
    expect(await run(['pull', folder, '--json'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('"error"'),
    });
  });
});
