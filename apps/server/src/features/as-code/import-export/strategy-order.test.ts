import { describe, expect, it } from 'vitest';
import { freshName, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { readRecorded, recordedAnswer } from '#testing/unleash.ts';

const importing = 'POST /api/admin/features-batch/import';
const validating = 'POST /api/admin/features-batch/validate';
const environment = 'development';

interface StrategyAnswer {
  readonly id: string;
  readonly title: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly constraints: readonly unknown[];
}

/** Returns a ULID for a time. */
const ulid = (time: number) => `01M81DJXRFBNQ5MPTN5Y2RZH${String(time).padStart(2, '0')}`;
const uuid7 = (time: number) => `019aa9f0-1f2b-7${String(time).padStart(3, '0')}-8a3b-2f1e0d9c8b7a`;
const uuid4 = (time: number) => `${9 - time}19aa9f0-1f2b-4000-8a3b-2f1e0d9c8b7a`;

const variant = { name: 'v', weight: 1000, weightType: 'variable', stickiness: 'default' };

describe('strategies of an export without an order', () => {
  const server = useServer();

  /** Returns an export of a flag with strategies in the order of these ids; the title of each is its id. */
  function exportOf(name: string, ids: readonly string[], variants: readonly (readonly object[])[] = []) {
    const featureStrategies = ids.map((id, index) => ({
      id,
      featureName: name,
      name: 'flexibleRollout',
      title: id,
      parameters: { rollout: '50', stickiness: 'default', groupId: name },
      variants: variants[index] ?? [],
    }));
    return { features: [{ name }], featureStrategies };
  }

  async function strategiesOf(projectId: string, featureName: string): Promise<StrategyAnswer[]> {
    const params = { projectId, featureName, environment };
    const path =
      'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies' as const;
    return (await server().admin.call(path, { params })).json;
  }

  async function titlesAfter(data: object, name: string, project = 'default') {
    const { status, text } = await server().admin.call(importing, { body: { project, environment, data } });
    expect(`${status} ${text}`.trim()).toBe('200');
    return (await strategiesOf(project, name)).map(({ title }) => title);
  }

  async function validate(data: object) {
    return (await server().admin.call(validating, { body: { project: 'default', environment, data } })).json;
  }

  it.each([
    ['ULIDs', ulid],
    ['UUIDs of version 7', uuid7],
  ])('are ordered by their ids when these are %s, and the report says so', async (_, id) => {
    const name = freshName('flag');
    const data = exportOf(name, [id(3), id(1), id(2)], [[variant], []]);
    expect((await validate(data)).warnings).toEqual([
      { message: expect.stringMatching(/does not declare the order .* sorted by id/), affectedItems: [name] },
    ]);
    expect(await titlesAfter(data, name)).toEqual([id(1), id(2), id(3)]);
  });

  it('keep the order of the file when the ids are not time-ordered, and the report names the flags', async () => {
    const name = freshName('flag');
    const data = exportOf(name, [uuid4(1), uuid4(2)], [[variant], []]);
    expect((await validate(data)).warnings).toEqual([
      { message: expect.stringMatching(/does not declare the order .* order of the file/), affectedItems: [name] },
    ]);
    expect(await titlesAfter(data, name)).toEqual([uuid4(1), uuid4(2)]);
  });

  it('are not reported when their order cannot change an evaluation', async () => {
    const name = freshName('flag');
    const [{ message, affectedItems }] = (await validate(exportOf(name, [ulid(2), ulid(1)]))).warnings;
    expect([message, affectedItems]).toEqual([expect.stringContaining('sorted by id'), []]);
    const same = exportOf(name, [ulid(2), ulid(1)], [[variant], [variant]]);
    expect((await validate(same)).warnings).toMatchObject([{ affectedItems: [] }]);
    expect((await validate(exportOf(name, [ulid(2)], [[variant]]))).warnings).toEqual([]);
  });

  it('keep their present order unless another order changes an evaluation', async () => {
    const name = freshName('flag');
    await titlesAfter(exportOf(name, [uuid4(1), uuid4(2), uuid4(3)]), name);
    const turned = [uuid4(3), uuid4(1), uuid4(2)];
    expect(await validate(exportOf(name, turned))).toMatchObject({ changes: [] });
    expect(await titlesAfter(exportOf(name, turned), name)).toEqual([uuid4(1), uuid4(2), uuid4(3)]);
    const [coloured, own] = [freshName('coloured'), [[variant], [], []]];
    await titlesAfter(exportOf(coloured, [uuid4(1), uuid4(2), uuid4(3)], own), coloured);
    const data = exportOf(coloured, [uuid4(2), uuid4(3), uuid4(1)], [[], [], [variant]]);
    const { changes } = await validate(data);
    expect(changes).toMatchObject([
      { type: 'feature-strategy-update', fields: [{ field: 'sortOrder' }] },
      { type: 'feature-strategy-update', fields: [{ field: 'sortOrder' }] },
      { type: 'feature-strategy-update', fields: [{ field: 'sortOrder' }] },
    ]);
    expect(await titlesAfter(data, coloured)).toEqual([uuid4(2), uuid4(3), uuid4(1)]);
  });

  it('keep the order of the list inside a flag', async () => {
    const name = freshName('flag');
    const { featureStrategies } = exportOf(name, [ulid(3), ulid(1), ulid(2)], [[variant]]);
    const data = { features: [{ name, strategies: featureStrategies }] };
    expect((await validate(data)).warnings).toEqual([]);
    expect(await titlesAfter(data, name)).toEqual([ulid(3), ulid(1), ulid(2)]);
  });

  it('of an Unleash 8.2 have the order in which that Unleash serves them', async () => {
    const project = await givenProject(server());
    const { segments } = recordedAnswer('/api/admin/segments');
    const { strategies } = recordedAnswer('/api/admin/strategies');
    const exported = readRecorded('export-development');
    const data = { ...exported, segments, strategies };
    const { status, text } = await server().admin.call(importing, { body: { project, environment, data } });
    expect(`${status} ${text}`.trim()).toBe('200');
    const gist = ({ parameters, constraints }: StrategyAnswer) => [parameters, constraints];
    let moved = 0;
    for (const { name } of exported.features) {
      const served = recordedAnswer(`/api/admin/projects/default/features/${name}`).environments.find(
        (row: { name: string }) => row.name === environment,
      ).strategies as StrategyAnswer[];
      const listed = exported.featureStrategies.filter(
        (strategy: { featureName: string }) => strategy.featureName === name,
      );
      if (served.some(({ id }, index) => id !== listed[index].id)) moved++;
      const imported = await strategiesOf(project, name);
      expect([name, ...imported.map(gist)]).toEqual([name, ...served.map(gist)]);
    }
    expect(moved).toBe(5);
  });
});
