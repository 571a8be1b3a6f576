import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { itemAt } from '#kernel/lists.ts';
import { givenCaller } from '#testing/access.ts';
import { freshName, givenEnabled, givenFlag, givenProject, switchFlag } from '#testing/flags.ts';
import { metricNamed, reportMetrics } from '#testing/impact-metrics.ts';
import { program, runProgram } from '#testing/program.ts';
import { givenTemplate } from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

describe('the command line', () => {
  const server = useServer();
  let directory: string;
  let token: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'yardarm-cli-'));
    ({ token } = await givenCaller(server(), 'Admin'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** Runs the program against the server; returns its exit code and its output. */
  async function run(args: readonly string[], variables: Record<string, string> = { YARDARM_TOKEN: token }) {
    const env = { PATH: process.env['PATH'], YARDARM_URL: server().url, ...variables };
    const { code, stdout, stderr } = await runProgram(args, env, directory);
    return { code, text: stdout + stderr };
  }

  /** Creates a folder with these files and returns its path. */
  async function folderOf(files: Record<string, string>): Promise<string> {
    const folder = join(directory, freshName('folder'));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return folder;
  }

  describe('events', () => {
    it.each(['ndjson', 'json', 'csv'])('are exported as %s, oldest first', async (format) => {
      const project = await givenProject(server());
      const { featureName } = await givenFlag(server(), {}, project);
      const file = join(directory, freshName('events'));
      const { code, text } = await run([
        'events',
        'export',
        '--project',
        project,
        '--format',
        format,
        '--output',
        file,
      ]);
      expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/^Wrote \d+ events to /) });
      const written = await readFile(file, 'utf8');
      expect(written.indexOf('project-created')).toBeGreaterThanOrEqual(0);
      expect(written.indexOf('feature-created')).toBeGreaterThan(written.indexOf('project-created'));
      expect(written).toContain(featureName);
      if (format === 'json') expect(JSON.parse(written)[0]).toMatchObject({ project });
    });

    it('are not exported over a file that exists, nor in an unknown format', async () => {
      const file = join(directory, freshName('events'));
      await writeFile(file, 'kept');
      expect(await run(['events', 'export', '--output', file])).toMatchObject({ code: 1 });
      expect(await readFile(file, 'utf8')).toBe('kept');
      const { code, text } = await run(['events', 'export', '--format', 'xml']);
      expect([code, text]).toEqual([1, expect.stringContaining('Use ndjson, json, csv.')]);
    });

    it('are printed as they happen', async () => {
      const project = await givenProject(server());
      const env = { PATH: process.env['PATH'], YARDARM_URL: server().url, YARDARM_TOKEN: token };
      const tail = spawn(process.execPath, [program, 'events', 'tail', '--project', project, '--after', '0'], { env });
      const lines = createInterface(tail.stdout)[Symbol.asyncIterator]();
      expect((await lines.next()).value).toContain('project created');
      const { featureName } = await givenFlag(server(), {}, project);
      expect((await lines.next()).value).toMatch(
        new RegExp(`^\\d{4}-.*flag created ${featureName} .project ${project}.$`),
      );
      tail.kill();
      await once(tail, 'exit');
    });

    it('end without an error when the reader of the output has ended', async () => {
      const project = await givenProject(server());
      const env = { PATH: process.env['PATH'], YARDARM_URL: server().url, YARDARM_TOKEN: token };
      const tail = spawn(process.execPath, [program, 'events', 'tail', '--project', project, '--after', '0'], { env });
      const ended = once(tail, 'exit');
      let errors = '';
      tail.stderr.on('data', (text) => {
        errors += text;
      });
      await once(tail.stdout, 'data');
      tail.stdout.destroy();
      await givenFlag(server(), {}, project);
      expect(await ended).toEqual([141, null]);
      expect(errors).toBe('');
    });

    it('are refused to a wrong token at once', async () => {
      const { code, text } = await run(['events', 'tail'], { YARDARM_TOKEN: 'user:wrong' });
      expect([code, text]).toEqual([1, expect.stringContaining('The server refused')]);
    });
  });

  it('pulls a folder that changes nothing when it is applied, and applies what is changed in it', async () => {
    const project = await givenProject(server());
    const { featureName } = await givenFlag(server(), { tags: [{ type: 'simple', value: 'pulled' }] }, project);
    const gone = await givenFlag(server(), {}, project);
    const folder = join(directory, freshName('pulled'));
    expect(await run(['pull', folder, '--projects', project])).toMatchObject({ code: 0 });
    expect(await run(['apply', folder, '--check'])).toEqual({ code: 0, text: 'No changes.\n' });
    const file = join(folder, 'projects', `${project}.yaml`);
    const text = await readFile(file, 'utf8');
    const changed = text
      .replace('enabled: false', 'enabled: true')
      .replace(new RegExp(`^      ${gone.featureName}:\n(        .*\n)*`, 'm'), '');
    await writeFile(file, changed);
    const seen = await run(['apply', folder, '--prune', '--dry-run']);
    expect(seen).toMatchObject({ code: 2, text: expect.stringContaining(`~ flag ${featureName} (${project})`) });
    expect(seen.text).toContain(`- flag ${gone.featureName} (${project})`);
    expect(seen.text).toContain('0 to create, 1 to change, 1 to archive.');
    const before = await lastEventId(server());
    expect(await run(['apply', folder, '--prune'])).toMatchObject({ code: 1, text: expect.stringContaining('--yes') });
    expect(await run(['apply', folder, '--prune', '--yes'])).toMatchObject({ code: 0 });
    expect((await eventsAfter(server(), before)).map(({ type }) => type)).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
      'feature-archived',
    ]);
    // Switching the flag on added a strategy, which the folder does not list.
    expect(await run(['apply', folder, '--prune', '--yes'])).toEqual({ code: 0, text: 'No changes.\n' });
    expect(await run(['pull', folder, '--projects', project])).toMatchObject({ code: 1 });
    expect(await run(['pull', folder, '--projects', project, '--force'])).toMatchObject({ code: 0 });
  }, 60_000);

  it('shows the safeguards that it sets and deletes', async () => {
    const project = await givenProject(server());
    const flags = [await givenEnabled(server(), project), await givenEnabled(server(), project)] as const;
    const reported = metricNamed('cli_errors');
    const metricName = `unleash_counter_${reported}`;
    await reportMetrics(server(), [{ name: reported, samples: [{ value: 1 }] }], 'development');
    for (const flag of flags) await setSafeguard(server(), flag, moreThan(10, metricName));
    const folder = join(directory, freshName('pulled'));
    expect(await run(['pull', folder, '--projects', project])).toMatchObject({ code: 0 });
    const file = join(folder, 'projects', `${project}.yaml`);
    const state = parse(await readFile(file, 'utf8'));
    const [changed, cleared] = flags.map(
      ({ featureName }) => state.projects[project].flags[featureName].environments.development,
    );
    changed.safeguards[0].triggerCondition.threshold = 5;
    cleared.safeguards = [];
    await writeFile(file, stringify(state));
    const { code, text } = await run(['apply', folder, '--yes']);
    expect([code, text]).toEqual([0, expect.stringContaining(`    ~ development: safeguard ${metricName} > 5\n`)]);
    expect(text).toContain(`    - development: safeguard ${metricName} > 10\n`);
    expect(await run(['apply', folder, '--check'])).toEqual({ code: 0, text: 'No changes.\n' });
  });

  it('pulls release templates to a file, and changes and archives them by it', async () => {
    const [changed, old] = [await givenTemplate(server()), await givenTemplate(server())];
    const folder = join(directory, freshName('pulled'));
    const project = await givenProject(server());
    expect(await run(['pull', folder, '--projects', project])).toMatchObject({ code: 0 });
    const file = join(folder, 'release-templates.yaml');
    const state = parse(await readFile(file, 'utf8'));
    state.releaseTemplates[changed.name].milestones[0].strategies[0].parameters.rollout = 5;
    state.releaseTemplates[old.name].archived = true;
    await writeFile(file, stringify(state));
    const { code, text } = await run(['apply', folder, '--yes']);
    expect([code, text]).toEqual([
      0,
      expect.stringContaining(`~ release template ${changed.name}\n    milestones.0: `),
    ]);
    expect(text).toContain(`- release template ${old.name}\n    is archived`);
    expect(text).toContain('0 to create, 1 to change, 1 to archive.');
    expect(await run(['apply', folder, '--check'])).toEqual({ code: 0, text: 'No changes.\n' });
  });

  it('applies what the guide shows, and then nothing', async () => {
    const guide = await readFile(new URL('../../../../docs/guides/state-as-code.md', import.meta.url), 'utf8');
    const folder = await folderOf({ 'guide.yaml': itemAt(/```yaml\n(.*?)```/s.exec(guide) ?? [], 1) });
    // Endpoints and accounts are not part of a state: the API creates them.
    await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'alertmanager' } });
    const robot = { username: 'autopilot', name: 'Autopilot', rootRole: 2 };
    await server().admin.call('POST /api/admin/service-account', { body: robot });
    const applied = await run(['apply', folder, '--yes']);
    expect(applied).toMatchObject({ code: 0, text: expect.stringContaining('+ flag new-receipt (shop)') });
    expect(applied.text).toContain('+ action set Hold what an alert names (of shop)');
    expect(applied.text).toContain('+ production: release plan Receipts in two steps');
    expect(await run(['apply', folder, '--yes', '--prune'])).toEqual({ code: 0, text: 'No changes.\n' });
  });

  it('takes paths from where npm was called, when npm runs it', async () => {
    const npm = (...args: readonly string[]) => {
      const env = { PATH: process.env['PATH'], HOME: directory, YARDARM_URL: server().url };
      const all = ['--prefix', root, 'run', '-s', 'yardarm', '--', ...args, '--token-file', 'a.token'];
      return promisify(execFile)('npm', all, { env, cwd: directory });
    };
    await writeFile(join(directory, 'a.token'), token);
    const folder = freshName('from-npm');
    const project = await givenProject(server());
    await npm('pull', folder, '--projects', project);
    expect(await readFile(join(directory, folder, 'projects', `${project}.yaml`), 'utf8')).toContain(project);
    expect((await npm('apply', folder, '--check')).stdout).toBe('No changes.\n');
    // Other scripts, also a script of another package, start this program in the folder that they choose.
    for (const [npm_package_name, npm_lifecycle_event] of [
      ['another', 'yardarm'],
      ['yardarm', 'test'],
    ] as const) {
      const elsewhere = { YARDARM_TOKEN: token, INIT_CWD: '/nowhere', npm_package_name, npm_lifecycle_event };
      expect(await run(['apply', folder, '--check'], elsewhere)).toEqual({ code: 0, text: 'No changes.\n' });
    }
  }, 60_000);

  it('names file, line and column of every mistake', async () => {
    const folder = await folderOf({
      'one.yaml':
        'version: 1\nprojects:\n  default:\n    flags:\n      x:\n        enabeld: true\n        type: none\n',
      'in/two.yml': 'version: 1\nsegments:\n  s: {constraints: [}\n',
    });
    const { code, text } = await run(['apply', folder, '--yes']);
    expect(code).toBe(1);
    expect(text).toContain(`${join(folder, 'one.yaml')}:6:9 projects.default.flags.x.enabeld is not a known key`);
    expect(text).toContain(`${join(folder, 'one.yaml')}:7:9 projects.default.flags.x.type`);
    expect(text).toMatch(/two\.yml:3:\d+/);
  });

  it('names file, line and column of a refused value, and of a value that two files contain', async () => {
    const folder = await folderOf({
      'one.yaml':
        'version: 1\nprojects:\n  default:\n    flags:\n      a.b:\n        environments:\n          no.where: {enabled: true}\n',
    });
    const refused = await run(['apply', folder, '--yes']);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining(`${join(folder, 'one.yaml')}:7:11 `) });
    await writeFile(
      join(folder, 'two.yaml'),
      'version: 1\nprojects:\n  default:\n    flags:\n      a.b: {type: release}\n',
    );
    const twice = await run(['apply', folder, '--yes']);
    expect(twice.text).toContain(`two.yaml:5:7 projects.default.flags.a.b is already defined at`);
  });

  it('says what permissions are missing before it asks', async () => {
    const folder = await folderOf({ 'a.yaml': `version: 1\nprojects:\n  default:\n    flags:\n      perm: {}\n` });
    const viewer = await givenCaller(server());
    const { code, text } = await run(['apply', folder], { YARDARM_TOKEN: viewer.token });
    expect([code, text]).toEqual([1, expect.stringContaining('CREATE_FEATURE in default, for perm')]);
    const checked = await run(['apply', folder, '--check'], { YARDARM_TOKEN: viewer.token });
    expect(checked).toMatchObject({ code: 2, text: expect.stringContaining('+ flag perm (default)') });
    expect(checked.text).toContain('The token may not apply this:\n');
    expect(checked.text).toContain('CREATE_FEATURE in default, for perm');
    expect((await run(['apply', folder, '--check'])).text).not.toContain('may not apply');
  });

  it('pulls without switches, so that applying the folder leaves on what a person has switched on', async () => {
    const project = await givenProject(server());
    const { featureName } = await givenEnabled(server(), project);
    const folder = join(directory, freshName('pulled'));
    expect(await run(['pull', folder, '--projects', project, '--without-switches'])).toMatchObject({ code: 0 });
    const file = join(folder, 'projects', `${project}.yaml`);
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain('enabled:');
    const params = { projectId: project, featureName, environment: 'development' };
    await switchFlag(server(), params, 'off');
    expect(await run(['apply', folder, '--check'])).toEqual({ code: 0, text: 'No changes.\n' });
    await writeFile(file, text.replace(/rollout: "?100"?/, "rollout: '50'"));
    expect(await run(['apply', folder, '--yes'])).toMatchObject({ code: 0 });
    const flag = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params });
    const { enabled, strategies } = flag.json.environments.find(({ name }: { name: string }) => name === 'development');
    expect([enabled, strategies[0].parameters.rollout]).toEqual([false, '50']);
  });

  it('fails without a token, and says why the server cannot be used', async () => {
    const folder = await folderOf({ 'a.yaml': 'version: 1\n' });
    expect(await run(['apply', folder], {})).toMatchObject({ code: 1, text: expect.stringContaining('YARDARM_TOKEN') });
    const wrong = await run(['apply', folder], { YARDARM_TOKEN: 'wrong' });
    expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining('The server refused') });
    const nowhere = await run(['apply', folder, '--url', 'http://127.0.0.1:1']);
    expect(nowhere).toMatchObject({ code: 1, text: expect.stringContaining('cannot be reached') });
    const none = await run(['apply', join(directory, 'none')]);
    expect(none).toMatchObject({ code: 1, text: expect.stringContaining('contains no .yaml') });
  });

  it.each([
    ['no server listens', 'postgres://yardarm:hush@127.0.0.1:1/none', 'ECONNREFUSED'],
    ['there is no such host', 'postgres://yardarm:hush@nowhere.invalid/none', 'nowhere.invalid'],
  ])('says in one line that its database cannot be used when %s', async (_why, url, reason) => {
    const { code, text } = await run(['migrate'], { DATABASE_URL: url });
    expect({ code, lines: text.trim().split('\n') }).toEqual({ code: 1, lines: [expect.stringContaining(reason)] });
    expect(text).toMatch(/^PostgreSQL at \S+ cannot be used: /);
    expect(text).not.toContain('hush');
  });

  it('says so in one line also when it makes or restores a backup', async () => {
    const head = { format: 'yardarm-backup', version: 1, at: '', migrations: ['0002-event-origin'] };
    const backup = join(directory, freshName('backup'));
    await writeFile(backup, gzipSync(`${JSON.stringify(head)}\n`));
    const variables = { DATABASE_URL: 'postgres://yardarm:hush@127.0.0.1:1/none' };
    for (const args of [
      ['backup', `${backup}.new`],
      ['restore', backup],
    ]) {
      const { code, text } = await run(args, variables);
      expect({ code, lines: text.trim().split('\n') }).toEqual({
        code: 1,
        lines: [expect.stringMatching(/^PostgreSQL at \S+ cannot be used: .*ECONNREFUSED/)],
      });
    }
  });

  it('exports to a file and imports it into another project, after a look', async () => {
    const { featureName } = await givenFlag(server(), { tags: [{ type: 'simple', value: 'moved' }] });
    const file = join(directory, freshName('export'));
    await writeFile(`${file}.token`, `${token}\n`);
    const exporting = ['export', '--environment', 'development', '--features', featureName, '--output', file];
    expect(await run([...exporting, '--token-file', `${file}.token`], {})).toEqual({ code: 0, text: '' });
    expect(await run(exporting)).toMatchObject({ code: 1, text: expect.stringContaining('cannot be written') });
    expect(await run(['export', '--environment', 'development'])).toMatchObject({ code: 1 });
    const project = await givenProject(server());
    const into = ['import', file, '--environment', 'development', '--project'];
    const taken = await run([...into, project]);
    expect(taken).toMatchObject({ code: 1, text: expect.stringContaining('another project has a flag named') });
    const renamed = freshName('renamed');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(featureName, renamed));
    const seen = await run([...into, project, '--dry-run']);
    expect(seen).toMatchObject({ code: 2, text: expect.stringContaining(`+ flag ${renamed} (${project})`) });
    expect(await run([...into, project, '--yes'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('Imported'),
    });
    expect(await run([...into, project, '--yes'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('No changes.'),
    });
  }, 60_000);
});
