import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { objectsOf, selects, servicesOf, variablesOf, workloadOf } from '../kubernetes/objects.ts';
import { allProblems } from '../kubernetes/problems.ts';
import { type Manifest, render } from '../kubernetes/render.ts';

interface Values {
  readonly [name: string]: unknown;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}deploy/helm/yardarm`;
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const chart = parse(read('Chart.yaml')) as { readonly name: string; readonly version: string; appVersion: string };
const schema = new Ajv().compile(JSON.parse(read('values.schema.json')));

const built = mkdtempSync(join(tmpdir(), 'yardarm-chart-'));
const program = join(built, 'render');
beforeAll(() => {
  execFileSync(process.env['GO'] ?? 'go', ['build', '-o', program, `${root}tests/programs/helm/render.go`], {
    // The libraries are Debian's packages.
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(built, 'cache') },
  });
}, 300_000);
afterAll(() => rmSync(built, { recursive: true }));

/** Returns the default values with those of a user, merged as Helm does. */
function merged(base: Values, own: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(own).map(([name, value]) => {
    const before = base[name];
    return [name, isMap(before) && isMap(value) ? merged(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}

const valuesWith = (own: Values) => merged(parse(read('values.yaml')) as Values, own);

/** Renders the chart with values of a user. Returns the objects, and the notes that Helm prints. */
function install(own: Values, release = 'yardarm'): { readonly objects: Manifest[]; readonly notes: string } {
  const values = valuesWith(own);
  if (!schema(values)) throw new Error(JSON.stringify(schema.errors));
  const input = JSON.stringify({
    folder,
    values,
    chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    release: { Name: release, Namespace: 'flags', Service: 'Helm' },
  });
  const { 'NOTES.txt': notes = '', ...files } = JSON.parse(execFileSync(program, { input, encoding: 'utf8' })) as {
    [file: string]: string;
  };
  const documents = Object.values(files).flatMap((text) => parseAllDocuments(text, { uniqueKeys: true }));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return { objects: documents.flatMap((document) => (document.toJS() as Manifest | null) ?? []), notes };
}

const kustomized = (path: string, onto: readonly Manifest[] = []) => [
  ...render(`${root}deploy/kubernetes/${path}`, [...onto]).objects,
];

/** Returns objects in a form that is equal for the chart and for the kustomization of the same installation. */
function comparable(objects: readonly Manifest[]): Manifest[] {
  const text = JSON.stringify(objects, (name, value) => {
    if (name === 'annotations' && 'checksum/settings' in value) return undefined;
    if (name === 'image') return 'yardarm';
    if (!/^(labels|matchLabels|selector)$/.test(name) || !value['app.kubernetes.io/name']) return value;
    return { 'app.kubernetes.io/name': value['app.kubernetes.io/name'] };
  });
  const all = JSON.parse(text) as Manifest[];
  for (const map of objectsOf<ConfigMap>(all, 'ConfigMap')) delete map.metadata?.labels;
  return withOnePolicy(all).toSorted((one, other) =>
    `${one.kind} ${one.metadata.name}` < `${other.kind} ${other.metadata.name}` ? -1 : 1,
  );
}

/** Joins the two policies of the kustomization, which add up, into one. */
function withOnePolicy(objects: readonly Manifest[]): Manifest[] {
  const [policy, ...others] = objectsOf<NetworkPolicy>(objects, 'NetworkPolicy');
  const ports = others.flatMap(({ spec }) => spec?.egress?.[0]?.ports ?? []);
  policy?.spec?.egress?.[0]?.ports?.push(...ports);
  return objects.filter((object) => object.kind !== 'NetworkPolicy' || object === policy);
}

const everything: Values = {
  image: { repository: 'registry.example.com:5000/flags/yardarm', tag: '1.2.3', pullSecrets: ['registry'] },
  secret: 'flags',
  secretSettings: { OIDC_CLIENT_SECRET: 'oidc-client-secret' },
  settings: { LOG_LEVEL: 'info', YARDARM_IMPORT_MAX_BODY_BYTES: 33_554_432, SECURE_HEADERS: false },
  ingress: { enabled: true, className: 'nginx', host: 'flags.example.org', proxies: 2 },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  annotations: {
    pod: { 'linkerd.io/inject': 'enabled' },
    service: { 'example.com/tier': 'internal' },
    serviceAccount: { 'example.com/role': 'flags' },
  },
  extraVolumes: [{ name: 'spool', emptyDir: {} }],
  extraVolumeMounts: [{ name: 'spool', mountPath: '/spool' }],
  privateCa: { configMap: 'company-ca', key: 'root.pem' },
  terminationGracePeriodSeconds: 45,
  networkPolicy: { otherPorts: [4222, 6379] },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'flags', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
};

describe('the Helm chart', () => {
  it('has the version of the release', () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    expect(chart).toMatchObject({ version, appVersion: version });
    expect(workloadOf(install({}).objects).containers[0]?.image).toBe(`ghcr.io/example/yardarm:${version}`);
  });

  it('installs with its default values what the PostgreSQL overlay installs', () => {
    const { objects } = install({});
    expect(comparable(objects)).toEqual(comparable(kustomized('overlays/postgres')));
    expect(allProblems(objects)).toEqual([]);
  });

  it('installs with SQLite what the SQLite overlay installs', () => {
    const { objects } = install({ storage: 'sqlite' });
    expect(comparable(objects)).toEqual(comparable(kustomized('overlays/sqlite')));
    expect(allProblems(objects)).toEqual([]);
  });

  it('installs with an ingress and a monitor what the example installs', () => {
    const { objects } = install({ ingress: { enabled: true }, serviceMonitor: { enabled: true } });
    expect(comparable(objects)).toEqual(comparable(kustomized('example')));
    expect(allProblems(objects)).toEqual([]);
  });

  it('takes the values of the guide', () => {
    const guide = readFileSync(`${root}docs/guides/kubernetes.md`, 'utf8');
    const values = parse(/# values\.yaml\n([^`]+)```/.exec(guide)?.[1] ?? '') as Values;
    expect(allProblems(install(values).objects)).toEqual([]);
    expect(install(values).notes).toContain('Sign in at https://flags.example.com\n');
  });

  it('keeps pods ready without a database as the component does', () => {
    const { objects } = install({ readyWithoutDatabase: true });
    const overlay = kustomized('overlays/postgres');
    expect(comparable(objects)).toEqual(comparable(kustomized('components/ready-without-database', overlay)));
  });

  it('passes on every value of a user', () => {
    const { objects, notes } = install({ ...everything, secret: 'yardarm' });
    expect(allProblems(objects)).toEqual([
      'NetworkPolicy lets out also TCP 4222',
      'NetworkPolicy lets out also TCP 6379',
    ]);
    const { pod } = workloadOf(objects);
    const [container] = pod.containers;
    expect(container && variablesOf(container, objects)).toEqual({
      DATABASE_URL_FILE: '/run/secrets/yardarm/database-url',
      UNLEASH_SECRET_FILE: '/run/secrets/yardarm/encryption-key',
      OIDC_CLIENT_SECRET_FILE: '/run/secrets/yardarm/oidc-client-secret',
      NODE_EXTRA_CA_CERTS: '/run/private-ca/root.pem',
      LOG_LEVEL: 'info',
      UNLEASH_URL: 'https://flags.example.org',
      YARDARM_TRUST_PROXY: '2',
      YARDARM_IMPORT_MAX_BODY_BYTES: '33554432',
      SECURE_HEADERS: 'false',
    });
    expect(pod).toMatchObject({
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: everything['nodeSelector'],
      tolerations: everything['tolerations'],
      affinity: everything['affinity'],
      terminationGracePeriodSeconds: 45,
    });
    expect(pod.volumes?.slice(1)).toEqual([
      { name: 'private-ca', configMap: { name: 'company-ca' } },
      { name: 'spool', emptyDir: {} },
    ]);
    for (const { volumeMounts } of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(volumeMounts?.slice(1)).toEqual([
        { name: 'private-ca', mountPath: '/run/private-ca', readOnly: true },
        { name: 'spool', mountPath: '/spool' },
      ]);
    }
    const metadataOf = (kind: string) =>
      objects.find((object) => object.kind === kind && object.metadata?.name === 'yardarm')?.metadata;
    expect(metadataOf('ServiceMonitor')).toMatchObject({ labels: { release: 'prometheus' } });
    expect(metadataOf('Service')).toMatchObject({ annotations: { 'example.com/tier': 'internal' } });
    expect(metadataOf('ServiceAccount')).toMatchObject({ annotations: { 'example.com/role': 'flags' } });
    const [deployment] = objectsOf<Deployment>(objects, 'Deployment');
    expect(deployment?.spec?.template.metadata?.annotations).toMatchObject({ 'linkerd.io/inject': 'enabled' });
    expect(container?.image).toBe('registry.example.com:5000/flags/yardarm:1.2.3');
    const [policy] = objectsOf<NetworkPolicy>(objects, 'NetworkPolicy');
    expect(policy?.spec?.egress?.[0]?.ports?.map(({ port }) => port)).toEqual([53, 53, 443, 5432, 4222, 6379]);
    expect(notes).toContain('Sign in at https://flags.example.org\n');
  });

  it('leaves the user to OpenShift, and lets out the port of its DNS', () => {
    const { objects } = install({ openshift: true });
    const { pod } = workloadOf(objects);
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    });
    const [policy] = objectsOf<NetworkPolicy>(objects, 'NetworkPolicy');
    expect(policy?.spec?.egress?.[0]?.ports?.slice(0, 4)).toEqual([
      { protocol: 'UDP', port: 53 },
      { protocol: 'TCP', port: 53 },
      { protocol: 'UDP', port: 5353 },
      { protocol: 'TCP', port: 5353 },
    ]);
  });

  it('gives the volume of SQLite its size and class', () => {
    const { objects } = install({ storage: 'sqlite', volume: { size: '20Gi', storageClass: 'fast' } });
    expect(workloadOf(objects).spec.volumeClaimTemplates).toMatchObject([
      { spec: { storageClassName: 'fast', resources: { requests: { storage: '20Gi' } } } },
    ]);
  });

  it('reads the Secret that is named', () => {
    const { objects, notes } = install({ secret: 'flags' });
    expect(workloadOf(objects).pod.volumes).toMatchObject([{ secret: { secretName: 'flags' } }]);
    expect(notes).toContain('from the Secret flags in flags, which has to exist');
  });

  it('replaces the pods when a setting changes', () => {
    const checksum = (own: Values) =>
      objectsOf<Deployment>(install(own).objects, 'Deployment')[0]?.spec?.template.metadata?.annotations;
    expect(checksum({ settings: { LOG_LEVEL: 'info' } })).not.toEqual(checksum({}));
    expect(checksum({ replicas: { max: 4 } })).toEqual(checksum({}));
  });

  it('keeps two releases in one namespace apart', () => {
    const [one, other] = [install({}, 'blue').objects, install({}, 'green').objects];
    const names = [...one, ...other].map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names).toContain('Service blue-yardarm');
    const [service] = servicesOf(one);
    const selector = service?.spec?.selector;
    expect(selects(selector, workloadOf(one).labels)).toBe(true);
    expect(selects(selector, workloadOf(other).labels)).toBe(false);
  });

  it.each([
    ['a misspelled value', { ingres: { enabled: true } }, 'ingres'],
    ['another storage', { storage: 'mysql' }, '/storage'],
    ['a single process on PostgreSQL', { replicas: { min: 1 } }, '/replicas/min'],
    ['a text for a switch', { ingress: { enabled: 'yes' } }, '/ingress/enabled'],
    ['a setting that is no name', { settings: { 'log-level': 'warn' } }, '/settings'],
    ['a list for a setting', { settings: { LOG_LEVEL: ['warn'] } }, '/settings/LOG_LEVEL'],
    ['a mount without a place', { extraVolumeMounts: [{ name: 'spool' }] }, '/extraVolumeMounts/0'],
    [
      'a grace period that ends before a shutdown',
      { terminationGracePeriodSeconds: 15 },
      '/terminationGracePeriodSeconds',
    ],
    ['a port that does not exist', { networkPolicy: { databasePort: 70_000 } }, '/networkPolicy/databasePort'],
  ] as const)('refuses %s', (_, own, place) => {
    expect(schema(valuesWith(own))).toBe(false);
    expect(JSON.stringify(schema.errors)).toContain(place);
  });

  it('allows each of its default values', () => {
    expect(schema(valuesWith({}))).toBe(true);
    expect(schema(valuesWith(everything))).toBe(true);
  });
});
