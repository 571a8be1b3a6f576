import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ingress } from 'kubernetes-types/networking/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { useServer } from '../../apps/server/testing/server.ts';
import type { Kustomization, ServiceMonitor } from './kinds.fixture.ts';
import { objectsOf, variablesOf, workloadOf } from './objects.ts';
import { plant, plantedMistakes } from './planted-mistakes.ts';
import { allProblems } from './problems.ts';
import { addKustomization, render } from './render.ts';
import { typeProblems } from './type-check.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}deploy/kubernetes`;
const files = globSync('**/*', { cwd: folder, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = text('docs/guides/kubernetes.md');

const folders = ['overlays/postgres', 'overlays/sqlite', 'example'];
const objectsIn = (path: string) => [...render(join(folder, path)).objects];
const server = useServer();

describe('the files in deploy/kubernetes', () => {
  it('hold one object each, of the type that the API has for its kind, and no Secret', () => {
    const documents = files.map((path) => [path, parseAllDocuments(readFileSync(path, 'utf8'))] as const);
    expect(documents.filter(([, { length }]) => length !== 1).map(([path]) => path)).toEqual([]);
    expect(documents.flatMap(([, all]) => all.flatMap(({ errors }) => errors))).toEqual([]);
    const objects = documents.map(([path, [document]]) => [path, document?.toJS({ maxAliasCount: 100 })] as const);
    expect(objects.filter(([, { kind }]) => kind === 'Secret')).toEqual([]);
    expect(typeProblems(Object.fromEntries(objects))).toEqual([]);
  });

  it('are all named by a kustomization', () => {
    const component = render(join(folder, 'components/ready-without-database'), objectsIn('overlays/sqlite'));
    const used = new Set([...folders.map((path) => render(join(folder, path))), component].flatMap((it) => it.files));
    expect(files.filter((path) => !used.has(path))).toEqual([]);
  });
});

describe.each(folders)('%s', (path) => {
  it('has no known mistake', () => {
    expect(allProblems(objectsIn(path))).toEqual([]);
  });

  it('asks paths that the server answers', async () => {
    const objects = objectsIn(path);
    const { pod } = workloadOf(objects);
    const probes = pod.containers.flatMap((it) => [it.startupProbe, it.readinessProbe, it.livenessProbe]);
    expect(probes.map((probe) => probe?.httpGet?.path)).toEqual(['/health', '/ready', '/health']);
    const monitors = objectsOf<ServiceMonitor>(objects, 'ServiceMonitor');
    const paths = [
      ...probes.map((it) => it?.httpGet?.path),
      ...monitors.flatMap((it) => it.spec.endpoints.map((to) => to.path)),
    ];
    const statuses = await Promise.all(paths.map(async (to) => (await fetch(`${server().url}${to}`)).status));
    expect(statuses).toEqual(paths.map(() => 200));
  });
});

it('a component keeps pods ready while the database is down', () => {
  const { objects } = render(join(folder, 'components/ready-without-database'), objectsIn('overlays/postgres'));
  expect(workloadOf(objects).pod.containers[0]?.readinessProbe?.httpGet?.path).toBe('/health');
  expect(allProblems(objects)).toEqual([]);
});

describe('the example', () => {
  const example = parse(readFileSync(join(folder, 'example/kustomization.yaml'), 'utf8')) as Kustomization;

  it('has the image of the release', () => {
    const { version } = JSON.parse(text('package.json'));
    expect(example.images).toEqual([{ name: 'yardarm', newName: 'ghcr.io/example/yardarm', newTag: version }]);
    expect(text('.github/workflows/release.yml')).toContain(`IMAGE: ghcr.io/\${{ github.repository }}`);
    const images = workloadOf(objectsIn('example')).containers.map(({ image }) => image);
    expect(images).toEqual(Array(2).fill(`ghcr.io/example/yardarm:${version}`));
  });

  it('has one host in its settings and its ingress', () => {
    const objects = objectsIn('example');
    const { containers } = workloadOf(objects);
    const [ingress] = objectsOf<Ingress>(objects, 'Ingress');
    const [container] = containers;
    const variables = container === undefined ? {} : variablesOf(container, objects);
    expect(variables).toMatchObject({ YARDARM_TRUST_PROXY: '1', SECURE_HEADERS: 'true', LOG_LEVEL: 'warn' });
    expect(variables['UNLEASH_URL']).toBe(`https://${ingress?.spec?.rules?.[0]?.host}`);
  });
});

describe('the guide', () => {
  it('creates each key of the Secret that a pod reads', () => {
    const created = [...guide.matchAll(/--from-(?:file|literal)=([a-z-]+)=/g)].map(([, key]) => key);
    const read = ['overlays/postgres', 'overlays/sqlite'].flatMap((path) => {
      const objects = objectsIn(path);
      return workloadOf(objects).containers.flatMap((it) =>
        Object.entries(variablesOf(it, objects)).flatMap(([name, value]) => (name.endsWith('_FILE') ? [value] : [])),
      );
    });
    expect([...new Set(created)].toSorted()).toEqual(
      [...new Set(read.map((path) => path.split('/').at(-1)))].toSorted(),
    );
    expect(guide).toContain('create secret generic yardarm ');
  });

  it('names folders that exist', () => {
    const named = [...guide.matchAll(/deploy\/kubernetes(\/[a-z/-]+)?/g)].map(([path]) => join(root, path));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
  });
});

describe('a mistake is found:', () => {
  it.each(plantedMistakes())('%s', (_, path, [kind, field, value], problem) => {
    const objects = objectsIn(path);
    const [object] = objectsOf<Record<string, unknown>>(objects, kind);
    plant(object ?? {}, field, value);
    expect(allProblems(objects).join('\n')).toMatch(problem);
  });

  it.each([
    ['a missing file', { resources: ['absent.yaml'] }, /names absent\.yaml, which does not exist/],
    ['a missing folder', { components: ['absent'] }, /absent.* does not exist/],
    [
      'a map that is not there to be merged',
      { configMapGenerator: [{ name: 'a', behavior: 'merge', literals: [] }] },
      /cannot merge/,
    ],
    ['a patch without a target', { patches: [{ target: { kind: 'Job', name: 'a' }, patch: '[]' }] }, /patches Job a/],
  ] as const)('%s', (_, kustomization, problem) => {
    expect(() => addKustomization(folder, kustomization, [], [])).toThrow(problem);
  });
});
