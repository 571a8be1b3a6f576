import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenContextField } from '#testing/context-fields.ts';
import { addStrategy, freshName, givenDependency, givenFlagIn, givenLink, givenProject } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { readRecorded } from '#testing/unleash.ts';

const exporting = 'POST /api/admin/features-batch/export';
const importing = 'POST /api/admin/features-batch/import';
const environment = 'development';

const payload = z.strictObject({ type: z.string(), value: z.string() });
const variant = z.strictObject({
  name: z.string(),
  weight: z.number(),
  weightType: z.string(),
  stickiness: z.string(),
  payload: payload.optional(),
});
const flagVariant = variant.extend({
  overrides: z.array(z.strictObject({ contextName: z.string(), values: z.array(z.string()) })).optional(),
});
const constraint = z.strictObject({
  contextName: z.string(),
  operator: z.string(),
  values: z.array(z.string()),
  value: z.string().optional(),
  inverted: z.boolean(),
  caseInsensitive: z.boolean(),
});

/**
 * The export that Unleash 8.2 writes, with the fields `sortOrder` and `project` of its published schema. Unleash
 * refuses any other field in `segments`, and takes `featureEnvironments[].name` as the name of the flag.
 */
const unleashExport = z.strictObject({
  features: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string().nullable(),
      type: z.string(),
      project: z.string(),
      stale: z.boolean(),
      impressionData: z.boolean(),
      archived: z.literal(false),
    }),
  ),
  featureStrategies: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      featureName: z.string(),
      title: z.string().nullable(),
      disabled: z.boolean(),
      sortOrder: z.number().optional(),
      parameters: z.record(z.string(), z.string()),
      constraints: z.array(constraint),
      variants: z.array(variant),
      segments: z.array(z.number()),
    }),
  ),
  featureEnvironments: z.array(
    z
      .strictObject({
        name: z.string(),
        featureName: z.string(),
        environment: z.string(),
        enabled: z.boolean(),
        variants: z.array(flagVariant),
      })
      .refine(({ name, featureName }) => name === featureName, 'name must be that of the flag'),
  ),
  contextFields: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string().nullable(),
      stickiness: z.boolean(),
      sortOrder: z.number(),
      legalValues: z.array(z.strictObject({ value: z.string(), description: z.string().optional() })),
      project: z.string().optional(),
    }),
  ),
  featureTags: z.array(z.strictObject({ featureName: z.string(), tagType: z.string(), tagValue: z.string() })),
  segments: z.array(z.strictObject({ id: z.number(), name: z.string() })),
  tagTypes: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      icon: z.string().nullable(),
      color: z.string().nullable(),
    }),
  ),
  dependencies: z.array(
    z.strictObject({
      feature: z.string(),
      dependencies: z.array(
        z.strictObject({ feature: z.string(), enabled: z.boolean(), variants: z.array(z.string()) }),
      ),
    }),
  ),
  links: z.array(
    z.strictObject({
      feature: z.string(),
      links: z.array(z.strictObject({ id: z.string(), url: z.string(), title: z.string().nullable() })),
    }),
  ),
});

describe('an export, for an Unleash 8.2 to import', () => {
  const server = useServer();

  /** Creates a project with a flag that has everything that an export can contain. */
  async function givenFull() {
    const { projectId } = await givenDependency(server());
    const flag = await givenFlagIn(server(), environment, projectId);
    await givenLink(server(), { url: 'https://example.com/docs' }, flag);
    const body = { type: 'simple', value: freshName('tag') };
    await server().admin.call('POST /api/admin/features/:featureName/tags', { params: flag, body });
    const [segment, own] = [await givenSegment(server()), await givenSegment(server(), { project: projectId })];
    const contextName = await givenContextField(server(), { project: projectId, description: null });
    await addStrategy(server(), flag, {
      name: 'flexibleRollout',
      segments: [segment.id, own.id],
      constraints: [
        { contextName, operator: 'IN', values: ['x'] },
        { contextName, operator: 'NUM_EQ', value: '1' },
      ],
      variants: [{ name: 'v', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    });
    const overrides = [{ contextName: 'userId', values: ['1'] }];
    const variants = [{ name: 'w', weight: 1000, payload: { type: 'string', value: 'x' }, overrides }];
    const path = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants';
    await server().admin.call(path, { params: flag, body: variants });
    return { projectId, segments: [segment, own] };
  }

  async function exportOf(project: string, more: object = {}) {
    return (await server().admin.call(exporting, { body: { environment, project, ...more } })).json;
  }

  it('has the shape of an export of Unleash', async () => {
    expect(unleashExport.parse(readRecorded('export-development')).features).toHaveLength(65);
    const { projectId, segments } = await givenFull();
    const exported = await exportOf(projectId);
    expect(() => unleashExport.parse(exported)).not.toThrow();
    expect(exported.segments).toEqual(segments.map(({ id, name }) => ({ id, name })));
    for (const [name, list] of Object.entries(exported)) expect([name, list]).not.toEqual([name, []]);
  });

  it('contains whole segments on request, and is imported with them', async () => {
    const { projectId, segments } = await givenFull();
    const exported = await exportOf(projectId, { wholeSegments: true });
    expect(exported.segments).toMatchObject(
      segments.map(({ id, name }) => ({ id, name, constraints: [{ contextName: 'country' }] })),
    );
    const text = JSON.stringify(exported);
    const names = [...exported.features, ...exported.segments, ...exported.contextFields].map(({ name }) => name);
    const renamed = names.reduce((all: string, name: string) => all.replaceAll(`"${name}"`, `"${name}-again"`), text);
    const project = await givenProject(server());
    const { status, text: answer } = await server().admin.call(importing, {
      body: { project, environment, data: renamed },
    });
    expect(`${status} ${answer}`.trim()).toBe('200');
    const imported = await exportOf(project, { wholeSegments: true });
    const bare = ({ constraints }: { constraints: unknown }) => constraints;
    expect(imported.segments.map(bare)).toEqual(exported.segments.map(bare));
  });

  it('of an older Yardarm, with whole segments and environments by name, is imported completely', async () => {
    const { projectId } = await givenFull();
    const exported = await exportOf(projectId, { wholeSegments: true });
    const older = {
      ...exported,
      featureEnvironments: exported.featureEnvironments.map((row: object) => ({ ...row, name: environment })),
      links: exported.links.map(({ links, ...rest }: { links: { id: string }[] }) => ({
        ...rest,
        links: links.map(({ id: _, ...link }) => link),
      })),
    };
    const body = { project: projectId, environment, data: older };
    const { json } = await server().admin.call('POST /api/admin/features-batch/validate', { body });
    expect(json).toMatchObject({ errors: [], changes: [] });
  });
});

describe('an import whose segments are missing', () => {
  const server = useServer();

  it('is refused with one message that names all missing segments', async () => {
    const data = readRecorded('export-development');
    const missing = data.segments.map(({ name }: { name: string }) => name).toSorted();
    expect(missing).toHaveLength(4);
    const body = { project: 'default', environment, data };
    const { json } = await server().admin.call('POST /api/admin/features-batch/validate', { body });
    const lines = json.errors.filter(({ message }: { message: string }) => message.includes('segment'));
    expect(lines).toEqual([{ message: expect.stringContaining('segments do not exist'), affectedItems: missing }]);
    const refused = await server().admin.call(importing, { body });
    expect([refused.status, refused.json.message]).toEqual([400, expect.any(String)]);
  });
});
