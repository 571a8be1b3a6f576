import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { callApi } from '../api.ts';
import type { Finding } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { type ServerOptions, startServer } from '../server.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const built = (name: string) => join(root, 'dist', name);
const adminToken = '*:*.of-the-ways-in';

/** A way of installation, as docs/guides/install.md describes it. */
interface Way {
  readonly name: string;
  /** The commands that a person types until the server serves. */
  readonly commands: readonly string[];
  /** Does in a folder what the commands before the last one do. */
  readonly install: (folder: string) => Promise<Installed>;
}

interface Installed {
  readonly server: Pick<ServerOptions, 'command' | 'args' | 'cwd' | 'env'>;
  /** Files and folders of the installation, for its size. */
  readonly paths: readonly string[];
}

/** A small Debian system, which is there before the measurement begins. */
const debian = async (folder: string) => {
  const packages = '--include=libstdc++6,systemd-standalone-sysusers';
  await run('mmdebstrap', ['--quiet', '--variant=essential', packages, 'bookworm', folder]);
  await cp(built(`yardarm_${manifest.version}_amd64.deb`), join(folder, 'tmp/yardarm.deb'));
};

const ways: readonly (Way & { readonly before?: (folder: string) => Promise<void> })[] = [
  {
    name: 'source',
    commands: ['git clone <repository>', 'cd yardarm', 'npm ci && npm start'],
    install: async (folder) => {
      await run('git', ['clone', '--quiet', '--no-hardlinks', root, folder]);
      await run('npm', ['ci'], { cwd: folder, maxBuffer: 1e8 });
      // `npm start` builds the interface first, which belongs to the time until the server serves.
      const npm = { command: 'npm', args: ['start'] };
      return { server: { ...npm, cwd: folder }, paths: [folder] };
    },
  },
  {
    name: 'package',
    commands: ['npm install -g ./yardarm-<version>.tgz', 'yardarm start'],
    install: async (folder) => {
      const prefix = join(folder, 'prefix');
      await mkdir(prefix);
      await run('npm', ['install', '--global', '--prefix', prefix, built(`yardarm-${manifest.version}.tgz`)]);
      return { server: { command: join(prefix, 'bin/yardarm'), args: ['start'], cwd: folder }, paths: [prefix] };
    },
  },
  {
    name: 'single executable',
    commands: ['./yardarm-linux-x64 start'],
    install: async (folder) => {
      const file = join(folder, 'yardarm');
      await cp(built('yardarm-linux-x64'), file);
      return { server: { command: file, args: ['start'], cwd: folder, env: { PATH: '' } }, paths: [file] };
    },
  },
  {
    name: 'Debian package',
    before: debian,
    // Where systemd runs, the package starts the service.
    commands: ['apt install ./yardarm_<version>_amd64.deb'],
    install: async (folder) => {
      await run('/usr/sbin/chroot', [folder, 'dpkg', '--install', '/tmp/yardarm.deb']);
      const args = ['--userspec=yardarm:yardarm', folder, '/usr/bin/yardarm', 'start'];
      const env = { YARDARM_DATA_DIR: '/var/lib/yardarm' };
      return { server: { command: '/usr/sbin/chroot', args, env }, paths: [join(folder, 'usr/bin/yardarm')] };
    },
  },
  {
    name: 'image',
    commands: ['docker build -f deploy/Dockerfile -t yardarm .', 'docker compose -f deploy/compose/compose.yaml up'],
    install: async (folder) => {
      const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'runroot'), '--storage-driver', 'vfs'];
      const buildah = async (...args: string[]) =>
        (await run('buildah', [...storage, ...args], { cwd: root })).stdout.trim();
      const isolation = ['--isolation', 'chroot'];
      await buildah(
        'build',
        '--format',
        'docker',
        ...isolation,
        '--tag',
        'yardarm',
        '--file',
        'deploy/Dockerfile',
        '.',
      );
      const container = await buildah('from', '--pull-never', 'yardarm');
      const files = await buildah('mount', container);
      const args = ['--userspec=65532:65532', files, '/usr/bin/yardarm', 'start'];
      return { server: { command: '/usr/sbin/chroot', args, env: { YARDARM_DATA_DIR: '/data' } }, paths: [files] };
    },
  },
];

/**
 * Measures each way of installation from the first command to a flag that an SDK sees, and to an alert that switches
 * the flag off. The calls follow each other at once, so a person's typing and reading is not in the times.
 */
export const waysIn: Scenario = {
  name: 'ways-in',
  title:
    'ways of installation: time to the first flag, to the first alert, and size (needs dist, mmdebstrap and buildah)',
  engines: [],
  onlyByName: true,
  async run({ workDir, say }) {
    const findings: Finding[] = [];
    for (const way of ways) {
      say(way.name);
      const folder = join(workDir, way.name.replaceAll(' ', '-'));
      await mkdir(folder);
      await way.before?.(folder);
      findings.push(...(await measure(way, folder)));
    }
    return findings;
  },
};

async function measure({ name, commands, install }: Way, folder: string): Promise<Finding[]> {
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  const { server: options, paths } = await install(folder);
  const installed = seconds();
  await using server = await startServer({
    name,
    ...options,
    env: { ...options.env, INIT_ADMIN_API_TOKENS: adminToken, YARDARM_SHUTDOWN_DELAY: '0' },
  });
  const serving = seconds();
  const sdk = await makeFirstFlag(server.origin);
  const flag = seconds();
  await switchByAlert(server.origin, sdk);
  const alert = seconds();
  const detail = { installed, serving, flag, alert, commands };
  return [
    { name: `${name}: commands until it serves`, unit: '', value: commands.length },
    { name: `${name}: from the first command to the first flag`, unit: 's', value: flag, detail },
    { name: `${name}: from the first command to the first alert that switches it`, unit: 's', value: alert },
    { name: `${name}: size on disk`, unit: 'MB', value: (await sizeOf(paths)) / 1e6 },
  ];
}

const place = { projectId: 'default', featureName: 'new-checkout', environment: 'development' };

/** Creates a flag that is on, and a token with which an SDK sees it. Returns a function that tells what it sees. */
async function makeFirstFlag(origin: string): Promise<() => Promise<boolean>> {
  const features = `/api/admin/projects/${place.projectId}/features`;
  await callApi(origin, adminToken, 'POST', features, { name: place.featureName });
  await callApi(origin, adminToken, 'POST', `${features}/${place.featureName}/environments/${place.environment}/on`);
  const wanted = { tokenName: 'shop', type: 'backend', environment: place.environment };
  const { secret } = await callApi<{ secret: string }>(origin, adminToken, 'POST', '/api/admin/api-tokens', wanted);
  const sees = async () => {
    const seen = await callApi<{ features: { enabled: boolean }[] }>(origin, secret, 'GET', '/api/client/features');
    return seen.features[0]?.enabled ?? false;
  };
  if (!(await sees())) throw new Error('the SDK does not see the flag');
  return sees;
}

/** Lets an alert hold the flag off, and waits until the SDK sees that. */
async function switchByAlert(origin: string, sees: () => Promise<boolean>): Promise<void> {
  const create = <Body>(path: string, body: object) => callApi<Body>(origin, adminToken, 'POST', path, body);
  const endpoint = await create<{ id: number }>('/api/admin/signal-endpoints', { name: 'alertmanager' });
  const tokens = `/api/admin/signal-endpoints/${endpoint.id}/tokens`;
  const { token } = await create<{ token: string }>(tokens, { name: 'prometheus' });
  const account = { username: 'autopilot', name: 'Autopilot', rootRole: 2 };
  const actor = await create<{ id: number }>('/api/admin/service-account', account);
  const { projectId: project, ...flag } = place;
  await create(`/api/admin/projects/${project}/actions`, {
    name: 'Hold off',
    actorId: actor.id,
    match: { source: 'signal-endpoint', sourceId: endpoint.id, payload: {} },
    actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams: { project, ...flag, effect: 'off' } }],
  });
  await callApi(origin, `Bearer ${token}`, 'POST', '/api/signal-endpoint/alertmanager', { status: 'firing' });
  const deadline = performance.now() + 10_000;
  while (await sees()) {
    if (performance.now() > deadline) throw new Error('the alert did not switch the flag off');
    await pause(5);
  }
}

/** Returns the bytes of files, and of all files in folders. */
async function sizeOf(paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) {
    const entry = await stat(path);
    if (!entry.isDirectory()) bytes += entry.size;
    else {
      const inside = await readdir(path, { recursive: true, withFileTypes: true });
      for (const file of inside) if (file.isFile()) bytes += (await stat(join(file.parentPath, file.name))).size;
    }
  }
  return bytes;
}
