import { accessSync, constants, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scene, Started } from './scene.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The paths of the two programs that `npm ci` does not install. */
export interface Installed {
  readonly prometheus: string;
  readonly alertmanager: string;
}

/**
 * Looks for the programs in the environment variables, then in PATH. Throws with instructions when a program is
 * missing.
 */
export function findInstalled(): Installed {
  const prometheus = given('PROMETHEUS') ?? findInPath('prometheus');
  // Debian's package calls the program prometheus-alertmanager.
  const alertmanager = given('ALERTMANAGER') ?? findInPath('prometheus-alertmanager') ?? findInPath('alertmanager');
  if (prometheus !== undefined && alertmanager !== undefined) return { prometheus, alertmanager };
  const missing = [
    ...(prometheus === undefined ? ['Prometheus'] : []),
    ...(alertmanager === undefined ? ['Alertmanager'] : []),
  ];
  throw new Error(
    `${missing.join(' and ')} cannot be found.\n` +
      'On Debian and Ubuntu: apt-get install --no-install-recommends prometheus prometheus-alertmanager\n' +
      'Elsewhere get them from https://prometheus.io/download, and say where they are:\n' +
      '  PROMETHEUS=/path/to/prometheus ALERTMANAGER=/path/to/alertmanager npm run example:alertmanager',
  );
}

function given(variable: string): string | undefined {
  const path = process.env[variable];
  if (path === undefined || path === '') return undefined;
  if (!canRun(path)) throw new Error(`${variable} names ${path}, which is no program.`);
  return resolve(path);
}

function findInPath(name: string): string | undefined {
  const directories = (process.env.PATH ?? '').split(delimiter);
  return directories.map((directory) => resolve(directory, name)).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Starts Yardarm as `npm start` does, with its data in the scratch directory. */
export function startYardarm(scene: Scene, secrets: { adminToken: string; adminPassword: string }): Promise<Started> {
  return scene.start({
    name: 'Yardarm',
    command: process.execPath,
    args: [here('../../apps/server/bin/yardarm.js'), 'start'],
    env: {
      HTTP_HOST: '127.0.0.1',
      PORT: '0',
      YARDARM_DATA_DIR: join(scene.directory, 'yardarm'),
      INIT_ADMIN_API_TOKENS: secrets.adminToken,
      UNLEASH_DEFAULT_ADMIN_PASSWORD: secrets.adminPassword,
    },
    listens: /serves on (http:\S+)/,
    readyPath: '/ready',
  });
}

export function startShop(scene: Scene, yardarm: Started, token: string): Promise<Started> {
  return scene.start({
    name: 'The shop',
    command: process.execPath,
    args: [here('shop.ts')],
    env: { YARDARM_URL: yardarm.url, YARDARM_TOKEN: token, PORT: '0' },
    listens: /listens on (http:\S+)/,
    readyPath: '/metrics',
  });
}

export function startAlertmanager(
  scene: Scene,
  program: string,
  { yardarm, signalToken }: { yardarm: Started; signalToken: string },
): Promise<Started> {
  copyConfig(scene, 'alertmanager.yml', { 'http://127.0.0.1:4242': yardarm.url });
  writeFileSync(join(scene.directory, 'signal-token'), signalToken, { mode: 0o600 });
  return scene.start({
    name: 'Alertmanager',
    command: program,
    args: [
      '--config.file=alertmanager.yml',
      '--storage.path=alertmanager',
      '--web.listen-address=127.0.0.1:0',
      // Turns clustering off: there is only one Alertmanager.
      '--cluster.listen-address=',
    ],
    listens,
    readyPath: '/-/ready',
  });
}

export function startPrometheus(
  scene: Scene,
  program: string,
  { shop, alertmanager }: { shop: Started; alertmanager: Started },
): Promise<Started> {
  copyFileSync(here('rules.yml'), join(scene.directory, 'rules.yml'));
  copyConfig(scene, 'prometheus.yml', {
    '127.0.0.1:8080': new URL(shop.url).host,
    '127.0.0.1:9093': new URL(alertmanager.url).host,
  });
  return scene.start({
    name: 'Prometheus',
    command: program,
    args: ['--config.file=prometheus.yml', '--storage.tsdb.path=prometheus', '--web.listen-address=127.0.0.1:0'],
    listens,
    readyPath: '/-/ready',
  });
}

/** The line that both programs log when they listen: `msg="Listening on" address=127.0.0.1:33521`. */
const listens = /"Listening on".* address=(127\.0\.0\.1:[1-9]\d*)/;

/**
 * Copies a configuration into the scratch directory, and replaces the addresses in it by those of the started programs.
 */
function copyConfig(scene: Scene, file: string, addresses: Readonly<Record<string, string>>): void {
  let text = readFileSync(here(file), 'utf8');
  for (const [usual, actual] of Object.entries(addresses)) {
    if (!text.includes(usual)) throw new Error(`${file} does not name ${usual}`);
    text = text.replaceAll(usual, actual);
  }
  writeFileSync(join(scene.directory, file), text);
}
