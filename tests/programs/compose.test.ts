import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../apps/server/src/config/load.ts';
import { findInstalled } from '../../examples/alertmanager/programs.ts';
import { plant } from '../kubernetes/planted-mistakes.ts';
import { type Compose, composeFolder, composeProblems } from './compose/problems.ts';

const text = (file: string) => readFileSync(join(composeFolder, file), 'utf8');
const composeOf = (file: string) => parse(text(file)) as Compose;
const [alone, full] = ['compose.yaml', 'compose.full.yaml'];
const { port } = loadConfig({});
const folder = mkdtempSync(join(tmpdir(), 'yardarm-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([alone, full])('%s', (file) => {
  it('has no known mistake', () => {
    expect(composeProblems(composeOf(file))).toEqual([]);
  });

  it('publishes the port on which Yardarm listens', () => {
    expect(composeOf(file).services['yardarm']?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  });
});

it('the commands in compose.full.yaml create its secrets', () => {
  const commands = [...text(full).matchAll(/^# {3}(.+)$/gm)].map(([, command = '']) => command);
  expect(commands.at(-1)).toBe(`docker compose -f ${full} up`);
  const elsewhere = join(folder, 'deploy/compose');
  mkdirSync(elsewhere, { recursive: true });
  execFileSync('bash', ['-e', '-c', commands.slice(0, -1).join('\n')], { cwd: folder });
  const names = readdirSync(join(elsewhere, 'secrets'));
  expect(names.toSorted()).toEqual(Object.keys(composeOf(full).secrets ?? {}).toSorted());
  const secret = (name: string) => readFileSync(join(elsewhere, 'secrets', name), 'utf8').trimEnd();
  expect(secret('encryption-key')).toMatch(/^\w{16,}$/);
  expect(secret('database-url')).toBe(`postgres://yardarm:${secret('postgres-password')}@postgres/yardarm`);
});

describe('a mistake is found:', () => {
  it.each<[string, string, string, unknown, RegExp]>([
    ['an unknown field', full, 'services/yardarm/readonly', true, /additional properties/],
    ['a value of another type', full, 'services/yardarm/read_only', [true], /read_only must be/],
    ['an unknown top-level field', alone, 'service', {}, /additional properties/],
    ['no Yardarm', alone, 'services/yardarm/image', 'nginx', /0 services run Yardarm/],
    ['a writable root', alone, 'services/yardarm/read_only', undefined, /can write its root/],
    ['capabilities', full, 'services/yardarm/cap_drop', ['NET_RAW'], /keeps capabilities/],
    ['new privileges', full, 'services/yardarm/security_opt', undefined, /can gain privileges/],
    ['Docker’s 10 s to stop', alone, 'services/yardarm/stop_grace_period', undefined, /killed before its shutdown/],
    ['no time beyond a shutdown', full, 'services/yardarm/stop_grace_period', '15s', /killed before its shutdown/],
    ['a longer delay', full, 'services/yardarm/environment/YARDARM_SHUTDOWN_DELAY', '10000', /killed before its/],
    [
      'an unknown setting',
      full,
      'services/yardarm/environment/UNLEASH_SECRETS_FILE',
      '/run/secrets/a',
      /not a setting/,
    ],
    ['an invalid setting', full, 'services/yardarm/environment/LOG_LEVEL', 'loud', /LOG_LEVEL must be/],
    ['a secret written out', full, 'services/yardarm/environment/UNLEASH_SECRET', 'a', /UNLEASH_SECRET written out/],
    ['a secret elsewhere', full, 'services/yardarm/environment/UNLEASH_SECRET_FILE', '/key', /file that is no secret/],
    ['a secret not given', full, 'services/alertmanager/secrets', [], /not given the secret signal-token/],
    ['a secret not read', full, 'services/yardarm/secrets/2', 'signal-token', /does not read the secret signal-token/],
    ['an undeclared secret', full, 'secrets/encryption-key', undefined, /no secret encryption-key/],
    ['a secret beside the folder', full, 'secrets/other', { file: './other' }, /secret other is not/],
    ['data in the container', alone, 'services/yardarm/volumes', [], /no named volume/],
    ['data beside the volume', alone, 'services/yardarm/volumes/0', 'data:/var/data', /no named volume/],
    ['a port for everybody', alone, 'services/yardarm/ports/0', '4242:4242', /publishes "4242:4242"/],
    ['a port in the long form', full, 'services/postgres/ports', [{ target: 5432, published: 5432 }], /publishes \{/],
    ['a folder of the machine', full, 'services/postgres/volumes/0', '/srv/db:/var/lib/postgresql/data', /mounts/],
    ['the socket of Docker', alone, 'services/yardarm/volumes/1', '/var/run/docker.sock:/docker.sock', /mounts/],
    ['a missing file', full, 'services/alertmanager/volumes/0', './am.yml:/etc/am.yml:ro', /mounts ".\/am.yml/],
    ['a writable file', full, 'services/alertmanager/volumes/0', './alertmanager.yml:/etc/a.yml', /mounts/],
    ['an undeclared volume', full, 'services/postgres/volumes/0', 'db:/var/lib/postgresql/data', /mounts "db:/],
    ['no health check', full, 'services/postgres/healthcheck', undefined, /postgres, which has no health check/],
  ])('%s', (_, file, field, value, problem) => {
    const compose = parse(text(file));
    plant(compose, field, value);
    expect(composeProblems(compose).join('\n')).toMatch(problem);
  });
});

describe('alertmanager.yml', () => {
  // Beside Alertmanager, in Debian's packages and in the archives of the project.
  const amtool = join(dirname(findInstalled().alertmanager), 'amtool');
  const check = (path: string) => spawnSync(amtool, ['check-config', path], { encoding: 'utf8' });

  it('is valid for Alertmanager', () => {
    expect(check(join(composeFolder, 'alertmanager.yml'))).toMatchObject({ status: 0, stderr: '' });
    const wrong = join(folder, 'alertmanager.yml');
    writeFileSync(wrong, text('alertmanager.yml').replace('credentials_file', 'credential_file'));
    expect(check(wrong)).toMatchObject({ status: 1, stdout: expect.stringContaining('credential_file not found') });
  });

  it('sends to the endpoint that the commands name, on the port of Yardarm', () => {
    const { receivers } = parse(text('alertmanager.yml'));
    const url = new URL(receivers[0].webhook_configs[0].url);
    expect(Object.keys(composeOf(full).services)).toContain(url.hostname);
    expect(url.port).toBe(`${port}`);
    const endpoint = /Create the signal endpoint `([\w-]+)`/.exec(text(full))?.[1];
    expect(url.pathname).toBe(`/api/signal-endpoint/${endpoint}`);
  });
});
