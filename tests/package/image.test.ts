import { execFileSync, type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { kill } from '../leftovers/processes.ts';
import { takeFirstSteps } from './first-steps.ts';
import { emptyFolder, type Serving, startIn } from './installed-program.ts';

/** The fields of an image's configuration that tell a container engine how to run it. */
interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly string[]; readonly Timeout: number };
  readonly StopSignal: NodeJS.Signals;
}

const repository = fileURLToPath(new URL('../../', import.meta.url));
const storage = emptyFolder();
let config: ImageConfig;
/** The folder with the root file system of a container of the image. */
let root: string;

/** Runs buildah with storage of its own. The driver vfs copies files, so it needs neither overlayfs nor FUSE. */
function buildah(...args: readonly string[]): string {
  const own = ['--root', join(storage, 'root'), '--runroot', join(storage, 'runroot'), '--storage-driver', 'vfs'];
  return execFileSync('buildah', [...own, ...args], { cwd: repository, encoding: 'utf8', stdio: 'pipe' }).trim();
}

beforeAll(() => {
  if (process.getuid?.() !== 0) throw new Error('This test mounts folders and runs an image. Run it as root.');
  // Only images in Docker's format have a health check. The isolation needs no OCI runtime.
  const options = ['--format', 'docker', '--isolation', 'chroot', '--tag', 'yardarm'];
  buildah('build', ...options, '--file', 'deploy/Dockerfile', '.');
  config = JSON.parse(JSON.parse(buildah('inspect', '--type', 'image', 'yardarm')).Config).config;
  root = buildah('mount', buildah('from', '--pull-never', 'yardarm'));
});

const environment = () =>
  Object.fromEntries(config.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
const inImage = (command: readonly string[]) => ['/usr/sbin/chroot', `--userspec=${config.User}`, root, ...command];

/**
 * Starts the image as a container engine does: as PID 1 of a PID namespace of its own, as the user of the image, in a
 * root file system that is read-only but for the volumes. The tools are on each Debian and, unlike an OCI runtime, need
 * no cgroups, which are missing where CI itself runs in a container. The loopback address is that of the machine.
 */
function startImage(): Promise<Serving> {
  // The folder on which an engine mounts /proc.
  mkdirSync(join(root, 'proc'));
  const bind = (path: string) => `mount --bind '${path}' '${path}'`;
  const script = [
    'set -e',
    bind(root),
    // Like a new volume, it has the content and the owner that the folder has in the image.
    ...Object.keys(config.Volumes).map((volume) => bind(join(root, volume))),
    `mount -o remount,bind,ro '${root}'`,
    `mount -t proc proc '${root}/proc'`,
    // By exec, so that the server is PID 1 and not the shell.
    'exec "$@"',
  ].join('\n');
  const namespaces = ['--mount', '--pid', '--fork'];
  const command = inImage([...config.Entrypoint, ...config.Cmd]);
  const program = { command: '/usr/bin/unshare', env: environment() };
  return startIn(storage, program, [...namespaces, '/bin/sh', '-c', script, 'sh', ...command]);
}

/** Returns the processes whose root is that of the image. */
function processesOfImage(): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/root`) === root;
    } catch {
      // The process has ended.
      return false;
    }
  });
}

describe('the image', () => {
  it('has at most 200 MB, and one program', () => {
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.map((file) => statSync(join(file.parentPath, file.name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000_000);
    expect(readdirSync(join(root, 'usr/bin'))).toEqual(['yardarm']);
  });

  it('states its user, command, data folder, port, health check and stop signal', () => {
    const { User, Env, Entrypoint, Cmd, WorkingDir, Volumes, ExposedPorts, Healthcheck, StopSignal } = config;
    expect({ User, Entrypoint, Cmd, WorkingDir, Volumes, ExposedPorts, StopSignal }).toEqual({
      User: '65532:65532',
      Entrypoint: ['/usr/bin/yardarm'],
      Cmd: ['start'],
      WorkingDir: '',
      Volumes: { '/data': {} },
      ExposedPorts: { '4242/tcp': {} },
      StopSignal: 'SIGTERM',
    });
    expect(Env).toContain('YARDARM_DATA_DIR=/data');
    expect(Healthcheck?.Test).toEqual(['CMD', '/usr/bin/yardarm', 'health']);
  });
});

describe('a container of the image', () => {
  let serving: Serving;
  let pid: number;

  beforeAll(async () => {
    serving = await startImage();
    pid = Number(readFileSync(`/proc/${serving.child.pid}/task/${serving.child.pid}/children`, 'utf8'));
  });
  // Not by --kill-child of unshare: the kernel forgets that setting when the process changes its user.
  afterAll(async () => {
    kill(processesOfImage());
    await vi.waitFor(() => expect(processesOfImage()).toEqual([]));
  });

  /** Runs a command as `docker exec` does: in the namespaces of the container, with the variables of the image. */
  function runInContainer(command: readonly string[], { env = {}, ...more }: SpawnSyncOptions = {}) {
    const inNamespaces = ['--mount', '--pid', `--target=${pid}`, ...inImage(command)];
    const options = { ...more, env: { ...environment(), ...env }, maxBuffer: 100_000_000, encoding: 'buffer' } as const;
    return spawnSync('/usr/bin/nsenter', inNamespaces, options);
  }

  it('serves', async () => {
    await takeFirstSteps(serving);
  });

  it('is PID 1, and has no privileges', () => {
    const status = Object.fromEntries(
      readFileSync(`/proc/${pid}/status`, 'utf8')
        .split('\n')
        .map((line) => line.split(/:\s*/, 2)),
    );
    expect(readlinkSync(`/proc/${pid}/exe`)).toBe(join(root, 'usr/bin/yardarm'));
    expect(status).toMatchObject({
      NSpid: `${pid}\t1`,
      Uid: Array(4).fill('65532').join('\t'),
      Gid: Array(4).fill('65532').join('\t'),
      Groups: '65532 ',
      CapEff: '0'.repeat(16),
      CapPrm: '0'.repeat(16),
    });
  });

  it('writes into its volume, in a root that is read-only', () => {
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n');
    const access = mounts.map((line) => line.split(' ')).map(([, , , , path, options]) => [path, options?.slice(0, 2)]);
    expect(Object.fromEntries(access)).toEqual({ '/': 'ro', '/data': 'rw', '/proc': 'rw' });
    // This process is root, and still cannot write through the root of the container.
    expect(() => writeFileSync(`/proc/${pid}/root/etc/probe`, '')).toThrow('EROFS');
    expect(statSync(`/proc/${pid}/root/data/yardarm.db`).uid).toBe(65532);
  });

  it('is healthy by the health check of the image, which fails where nothing listens', () => {
    const [, ...test] = config.Healthcheck.Test;
    const timeout = config.Healthcheck.Timeout / 1e6;
    const check = (PORT: string) => runInContainer(test, { env: { HTTP_HOST: '127.0.0.1', PORT }, timeout });
    const { status, stderr } = check(new URL(serving.url).port);
    expect([status, stderr.toString()]).toEqual([0, '']);
    // No process listens on port 1.
    expect(check('1').status).toBe(1);
  });

  it('writes a backup to standard output, and verifies it from standard input', () => {
    const backup = runInContainer([...config.Entrypoint, 'backup', '-']);
    expect([backup.status, backup.stderr.toString()]).toEqual([0, expect.stringMatching(/^Wrote \d+ rows\.\n$/)]);
    const verify = (input: Buffer) => runInContainer([...config.Entrypoint, 'verify', '-'], { input });
    expect(verify(backup.stdout).stdout.toString()).toMatch(
      /^The backup is complete and can be restored: \d+ rows\.\n$/,
    );
    const half = verify(backup.stdout.subarray(0, backup.stdout.length / 2));
    expect([half.status, half.stderr.toString()]).toEqual([
      1,
      'Standard input is not a backup of Yardarm, or is damaged.\n',
    ]);
  });

  // The kernel ignores a signal to PID 1 that the process does not handle: an engine would kill it after 10 s.
  it('ends on its stop signal', { timeout: 10_000 }, async () => {
    const ended = once(serving.child, 'exit');
    process.kill(pid, config.StopSignal);
    expect(await ended).toEqual([0, null]);
  });
});
