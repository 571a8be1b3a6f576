import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly uses?: string;
  readonly needs?: readonly string[];
  readonly steps?: readonly { readonly run?: string; readonly uses?: string }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}.github/workflows/`;
const workflows = readdirSync(folder).map(
  (file) => [file, parse(readFileSync(folder + file, 'utf8')) as Workflow] as const,
);
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

describe.each(workflows)('the workflow %s', (_, { permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  it('runs only scripts that package.json has', () => {
    const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name));
    expect(named.filter((name) => name === undefined || !(name in scripts))).toEqual([]);
  });

  it('may only read, except where it publishes', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(jobs).filter((name) => jobs[name]?.permissions !== undefined)).toEqual(
      'publish' in jobs ? ['publish'] : [],
    );
  });

  it('uses actions of GitHub and Docker alone, each at a version', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((name) => !/^(actions|docker)\/[\w-]+@v\d+$/.test(name))).toEqual([]);
  });
});

it('a release publishes only after all tests, packages and executables', () => {
  const { jobs } = Object.fromEntries(workflows)['release.yml'] as Workflow;
  const others = Object.keys(jobs).filter((name) => name !== 'publish');
  expect(jobs['publish']?.needs?.toSorted()).toEqual(others.toSorted());
  expect(jobs['test']?.uses).toBe('./.github/workflows/ci.yml');
});

it('the bill of materials of a release tells what the server contains from tools of development', async () => {
  const step = JSON.stringify(workflows).match(/npm (sbom[^>]*)>/)?.[1] ?? '';
  const { stdout } = await promisify(execFile)('npm', step.trim().split(' '), { cwd: root, maxBuffer: 1e8 });
  const { bomFormat, components } = JSON.parse(stdout) as {
    readonly bomFormat: string;
    readonly components: readonly {
      readonly name: string;
      readonly properties: readonly { readonly name: string }[];
    }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const forDevelopment = new Map(
    components.map(({ name, properties }) => [
      name,
      properties.some((property) => property.name === 'cdx:npm:package:development'),
    ]),
  );
  const contained = ['fastify', 'kysely', 'pg', 'zod', '@mantine/core'];
  expect(contained.map((name) => forDevelopment.get(name))).toEqual(contained.map(() => false));
  const tools = ['vitest', '@biomejs/biome', 'playwright-core'];
  expect(tools.map((name) => forDevelopment.get(name))).toEqual(tools.map(() => true));
});
