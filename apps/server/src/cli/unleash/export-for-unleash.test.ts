import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenHold } from '#testing/holds.ts';
import { useUnleashMove } from '#testing/unleash-move.ts';
import { type Export, splitExport } from './split-export.ts';

const constraint = { contextName: 'region', operator: 'IN_CIDR', values: ['10.0.0.0/8'] };

describe('yardarm export --for-unleash', () => {
  const { unleash, server, runProgram } = useUnleashMove();
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'yardarm-export-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** Creates flags a1 to a9, each but the last with its successor as a parent, which have a segment and a strategy. */
  async function givenFlags(names: readonly string[], parents: Readonly<Record<string, string>> = {}) {
    const strategies = [
      { name: 'own', parameters: {}, constraints: [constraint], segments: ['inside'] },
      { name: 'default', parameters: {}, segments: ['check-eu'] },
    ];
    const flag = (name: string) => ({
      ...(parents[name] === undefined ? {} : { dependsOn: parents[name] }),
      tags: ['simple:moved'],
      environments: { development: { enabled: true, strategies } },
    });
    const state = {
      version: 1,
      projects: { default: { flags: Object.fromEntries(names.map((name) => [name, flag(name)])) } },
      segments: {
        inside: { constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }] },
        'check-eu': { constraints: [] },
      },
      contextFields: { region: {} },
    };
    const installation = { strategies: [{ name: 'own', parameters: [] }] };
    const { status, text } = await server().admin.call('POST /api/admin/state/apply', {
      body: { state, installation },
    });
    expect(status, text).toBe(200);
  }

  const exporting = (...more: readonly string[]) =>
    runProgram(['export', '--project', 'default', '--environment', 'development', '--for-unleash', ...more]);
  const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Export;

  it('writes files of so many flags, parents first, that Unleash accepts, and never over a file', async () => {
    const parents = { 'a-child': 'z-parent', 'b-child': 'z-parent' };
    await givenFlags(['a-child', 'b-child', 'c', 'd', 'z-parent'], parents);
    const output = join(directory, 'flags.json');
    const { code, text } = await exporting('--split', '2', '--output', output);
    expect([code, text]).toEqual([0, expect.stringContaining('flags-3.json: 1 flags.')]);
    const files = await Promise.all([1, 2, 3].map((number) => read(join(directory, `flags-${number}.json`))));
    const names = files.map(({ features }) => features.map(({ name }) => name));
    expect(names.flat().toSorted()).toEqual(['a-child', 'b-child', 'c', 'd', 'z-parent']);
    expect(names.flat().indexOf('z-parent')).toBeLessThan(names.flat().indexOf('a-child'));
    for (const { features, segments, featureStrategies, tagTypes, contextFields } of files) {
      expect(featureStrategies).toHaveLength(2 * features.length);
      expect(segments.map((segment) => Object.keys(segment))).toEqual([
        ['id', 'name'],
        ['id', 'name'],
      ]);
      expect([tagTypes[0]?.name, contextFields[0]?.name]).toEqual(['simple', 'region']);
    }
    const again = await exporting('--split', '2', '--output', output);
    expect(again).toMatchObject({ code: 1, text: expect.stringContaining('flags-1.json') });
    expect((await stat(join(directory, 'flags-1.json'))).size).toBeLessThan(500_000);
  }, 120_000);

  it('names held flags, operators that Unleash lacks, and the segments and strategies that must be there', async () => {
    await givenFlags(['held', 'free']);
    await givenHold(server(), { projectId: 'default', featureName: 'held', environment: 'development' });
    const { code, text } = await exporting('--output', join(directory, 'one.json'));
    expect(code).toBe(0);
    expect(text).toMatch(/Flags are held: .*: held\./);
    expect(text).toMatch(/Operators that Unleash 8\.2 does not have.*: free \(IN_CIDR\), held \(IN_CIDR\)\./);
    expect(text).toMatch(/Unleash must have these segments before the import: .*inside/);
    expect(text).toContain('Unleash must have these custom strategies before the import: own.');
    expect(unleash().requests).toEqual([]);
  }, 120_000);

  it('creates missing segments and custom strategies in Unleash, and leaves existing ones alone', async () => {
    await givenFlags(['one']);
    const { code, text } = await exporting('--output', join(directory, 'created.json'), '--create-in', unleash().url);
    expect([code, text]).toEqual([0, expect.stringContaining('Created the segment inside in Unleash.')]);
    expect(text).toMatch(/already, and they were not compared: check-eu\./);
    expect(unleash().posted).toEqual([
      { path: '/api/admin/strategies', body: { name: 'own', description: '', parameters: [] } },
      {
        path: '/api/admin/segments',
        body: {
          name: 'inside',
          description: '',
          constraints: [
            { contextName: 'region', operator: 'IN', values: ['eu'], inverted: false, caseInsensitive: false },
          ],
        },
      },
    ]);
    expect(text).not.toContain(unleash().token);
  }, 120_000);
});

describe('the files of a split export', () => {
  it('have at most 500 kB each, and all flags once', () => {
    const names = Array.from({ length: 300 }, (_, index) => `flag-${index}`);
    const data: Export = {
      features: names.map((name) => ({
        ...{ name, type: 'release', project: 'default', stale: false, impressionData: false, archived: false },
        description: 'é'.repeat(2000),
      })),
      featureStrategies: [],
      featureEnvironments: [],
      contextFields: [],
      featureTags: [],
      segments: [],
      tagTypes: [],
      dependencies: [],
      links: [],
    };
    const files = splitExport(data, 400);
    expect(files.flatMap(({ flags }) => flags)).toEqual(names);
    expect(files).toHaveLength(3);
    for (const { text, isTooLarge } of files) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(499_000);
      expect(isTooLarge).toBe(false);
    }
  });
});
