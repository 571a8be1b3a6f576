import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { lookAround, takeFirstSteps } from './first-steps.ts';
import { built, emptyFolder, type InstalledProgram, runIn, startIn, stop } from './installed-program.ts';

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const archive = built(`yardarm-${version}.tgz`);
const folder = emptyFolder();
const npxFolder = emptyFolder();
// The PATH has the Node of the tests and the system's npm, but no programs of the repository.
const env = {
  HOME: folder,
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  npm_config_cache: join(folder, 'npm-cache'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};
const program: InstalledProgram = { command: join(folder, 'node_modules/.bin/yardarm'), env };

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{}');
  await run('npm', ['install', '--no-audit', '--no-fund', archive], { cwd: folder, env });
});

describe('the package', () => {
  it('installs itself alone, without a registry, in at most 60 MB', () => {
    const modules = join(folder, 'node_modules');
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['yardarm']);
    const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.map((file) => statSync(join(file.parentPath, file.name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000_000);
  });

  it('runs by npx, and prints its version and commit', async () => {
    const cwd = npxFolder;
    copyFileSync(archive, join(cwd, basename(archive)));
    const { stdout } = await run('npx', ['--yes', `./${basename(archive)}`, '--version'], { cwd, env });
    expect(stdout).toMatch(new RegExp(`^${version} \\(commit [0-9a-f]{12}(-modified)?\\)\n$`));
  });

  it('serves from a folder that was empty, and ends on SIGTERM', async () => {
    const serving = await startIn(folder, program);
    await takeFirstSteps(serving);
    const { port } = new URL(serving.url);
    await runIn(folder, { ...program, env: { ...env, HTTP_HOST: '127.0.0.1', PORT: port } }, 'health');
    expect(await stop(serving)).toBe(0);
  });

  it('serves the demo, and ends on SIGTERM', async () => {
    const serving = await startIn(folder, program, ['demo', '--port', '0']);
    await lookAround(serving);
    expect(await stop(serving)).toBe(0);
  });

  it('migrates, backs up and restores', async () => {
    expect(await runIn(folder, program, 'migrate')).toBe('The database is up to date.\n');
    expect(await runIn(folder, program, 'backup', 'all.yardarm')).toMatch(/^Wrote \d+ rows to all\.yardarm\.\n$/);
    const elsewhere = { ...program, env: { ...env, YARDARM_DATA_DIR: join(folder, 'restored') } };
    expect(await runIn(folder, elsewhere, 'restore', 'all.yardarm')).toMatch(
      /^Restored \d+ rows from all\.yardarm\.\n$/,
    );
  });

  it('says in one line that Node is too old', async () => {
    const old = join(folder, 'old-node.cjs');
    writeFileSync(old, `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });`);
    const error = await run(process.execPath, ['--require', old, program.command, 'start'], { cwd: folder, env }).then(
      () => undefined,
      (failed) => failed,
    );
    expect([error?.code, error?.stderr]).toEqual([
      1,
      'Yardarm needs Node 24.7 or newer; this is 20.20.2. Install a newer Node from https://nodejs.org.\n',
    ]);
  });
});
