import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import type { Setting } from '../../../apps/server/src/config/setting-types.ts';
import { type Config, settings } from '../../../apps/server/src/config/settings.ts';
import { containerConfig } from '../../../apps/server/testing/container-config.ts';

/** The parts of a Compose file that the checks read, after the file has been validated. */
export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets?: Readonly<Record<string, { readonly file?: string }>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

interface Service {
  readonly image?: string;
  readonly ports?: readonly unknown[];
  readonly volumes?: readonly unknown[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: unknown;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
}

type Entry = readonly [name: string, service: Service];

export const composeFolder = fileURLToPath(new URL('../../../deploy/compose/', import.meta.url));
const dockerfile = readFileSync(join(composeFolder, '../Dockerfile'), 'utf8');
const dataFolder = /^VOLUME (\S+)$/m.exec(dockerfile)?.[1];

// NOTICE has the origin of the schema. Ajv knows the draft that the schema names only by its address with http.
const schema = {
  ...JSON.parse(readFileSync(new URL('compose-spec.json', import.meta.url), 'utf8')),
  $schema: undefined,
};
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);

/** Returns what is wrong with a Compose file. */
export function composeProblems(compose: Compose): string[] {
  if (!validate(compose)) return (validate.errors ?? []).map((it) => `${it.instancePath} ${it.message}`);
  const services = Object.entries(compose.services);
  const own = services.filter(([, { image }]) => /^\$\{YARDARM_IMAGE:-/.test(image ?? ''));
  return [
    ...(own.length === 1 ? [] : [`${own.length} services run Yardarm, not 1`]),
    ...own.flatMap((entry) => [
      ...privilegeProblems(entry),
      ...settingProblems(entry),
      ...dataProblems(entry, compose),
    ]),
    ...services.flatMap((entry) => [
      ...portProblems(entry),
      ...volumeProblems(entry, compose),
      ...secretProblems(entry, compose),
      ...dependencyProblems(entry, compose),
    ]),
    ...Object.entries(compose.secrets ?? {})
      .filter(([name, { file }]) => file !== `./secrets/${name}`)
      .map(([name]) => `the file of the secret ${name} is not ./secrets/${name}`),
  ];
}

function privilegeProblems([name, service]: Entry): string[] {
  const { read_only, cap_drop = [], security_opt = [] } = service;
  return [
    ...(read_only === true ? [] : [`${name} can write its root file system`]),
    ...(cap_drop.includes('ALL') ? [] : [`${name} keeps capabilities`]),
    ...(security_opt.includes('no-new-privileges:true') ? [] : [`${name} can gain privileges`]),
  ];
}

function settingProblems([name, service]: Entry): string[] {
  let config: Config;
  try {
    config = containerConfig(service.environment ?? {});
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
  const secrets = Object.values<Setting>(settings).flatMap(({ secret, names }) => (secret === true ? names : []));
  const writtenOut = Object.keys(service.environment ?? {}).filter((variable) => secrets.includes(variable));
  const delayWithPostgres = Number(/(\d+) with PostgreSQL/.exec(settings.shutdownDelayMs.meaning)?.[1]);
  const delay = config.shutdownDelayMs ?? (config.databaseUrl === undefined ? 0 : delayWithPostgres);
  const grace = Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '')?.[1]) * 1000;
  return [
    ...writtenOut.map((variable) => `${name} has the secret ${variable} written out`),
    ...(grace > delay + config.shutdownTimeoutMs ? [] : [`${name} is killed before its shutdown ends`]),
  ];
}

/** Without PostgreSQL the data has to be in a named volume: a volume without a name is lost with its container. */
function dataProblems([name, { environment = {}, volumes = [] }]: Entry, compose: Compose): string[] {
  if ('DATABASE_URL_FILE' in environment) return [];
  const named = Object.keys(compose.volumes ?? {}).map((volume) => `${volume}:${dataFolder}`);
  return volumes.some((volume) => named.includes(String(volume))) ? [] : [`${name} has no named volume for its data`];
}

function portProblems([name, { ports = [] }]: Entry): string[] {
  const open = ports.filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(String(port)));
  return open.map((port) => `${name} publishes ${JSON.stringify(port)}, not on 127.0.0.1`);
}

/** A service may mount named volumes and, read-only, the files beside the Compose file. */
function volumeProblems([name, { volumes = [] }]: Entry, compose: Compose): string[] {
  const allowed = volumes.map(String).filter((volume) => {
    const [source = '', , options] = volume.split(':');
    if (source in (compose.volumes ?? {})) return true;
    return /^\.\/[\w.-]+$/.test(source) && existsSync(join(composeFolder, source)) && options === 'ro';
  });
  return volumes
    .filter((volume) => !allowed.includes(String(volume)))
    .map((volume) => `${name} mounts ${JSON.stringify(volume)}`);
}

/** Each file in /run/secrets that a service reads must be a secret of the service, and the other way round. */
function secretProblems([name, { environment = {}, secrets = [], volumes = [] }]: Entry, compose: Compose): string[] {
  const mounted = volumes.map(String).filter((volume) => volume.startsWith('./'));
  const files = mounted.map((volume) => join(composeFolder, volume.slice(0, volume.indexOf(':')))).filter(existsSync);
  const texts = [...Object.values(environment), ...files.map((file) => readFileSync(file, 'utf8'))];
  const read = texts.flatMap((text) =>
    [...text.matchAll(/\/run\/secrets\/([\w-]+)/g)].map(([, secret]) => `${secret}`),
  );
  const outside = Object.entries(environment).filter(
    ([variable, path]) => variable.endsWith('_FILE') && !path.startsWith('/run/secrets/'),
  );
  return [
    ...read.filter((secret) => !secrets.includes(secret)).map((secret) => `${name} is not given the secret ${secret}`),
    ...secrets.filter((secret) => !read.includes(secret)).map((secret) => `${name} does not read the secret ${secret}`),
    ...secrets.filter((secret) => !(secret in (compose.secrets ?? {}))).map((secret) => `there is no secret ${secret}`),
    ...outside.map(([variable]) => `${name} reads ${variable} from a file that is no secret`),
  ];
}

/** Compose waits for the health of a service for ever when the service has no health check. */
function dependencyProblems([name, { depends_on = {} }]: Entry, { services }: Compose): string[] {
  return Object.entries(depends_on)
    .filter(([to, { condition }]) => condition === 'service_healthy' && services[to]?.healthcheck === undefined)
    .map(([to]) => `${name} waits for the health of ${to}, which has no health check`);
}
