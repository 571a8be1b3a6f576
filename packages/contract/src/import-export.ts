import { z } from 'zod';
import { constraintSchema } from './constraints.ts';
import { flagValues } from './flag-fields.ts';
import { importedDataSchema } from './import-data-schema.ts';
import { defineRoutes, empty, stream } from './route.ts';
import { stateChangeSchema } from './state.ts';
import { changesManyFlags } from './state-routes.ts';
import { featureStrategySchema } from './strategies.ts';
import { nameParam } from './text.ts';
import { variantSchema } from './variant-fields.ts';

/** An export of flags in one environment (docs/spec#import-and-export). */
export const exportResultSchema = z.object({
  features: z.array(z.object({ name: z.string(), project: z.string(), ...flagValues.shape, archived: z.boolean() })),
  featureStrategies: z.array(featureStrategySchema),
  featureEnvironments: z.array(
    z.object({
      name: z.string().meta({ description: 'The name of the flag, as in an export of Unleash' }),
      featureName: z.string(),
      environment: z.string(),
      enabled: z.boolean(),
      variants: z.array(variantSchema),
    }),
  ),
  contextFields: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullable(),
      stickiness: z.boolean(),
      sortOrder: z.number().int(),
      legalValues: z.array(z.object({ value: z.string(), description: z.string().optional() })),
      project: z.string().optional(),
    }),
  ),
  featureTags: z.array(z.object({ featureName: z.string(), tagType: z.string(), tagValue: z.string() })),
  segments: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      description: z.string().nullable().optional(),
      project: z.string().nullable().optional(),
      constraints: z.array(constraintSchema).optional(),
    }),
  ),
  tagTypes: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      icon: z.string().nullable(),
      color: z.string().nullable(),
    }),
  ),
  dependencies: z.array(
    z.object({
      feature: z.string(),
      dependencies: z.array(
        z.object({ feature: z.string(), enabled: z.boolean(), variants: z.array(z.string()).optional() }),
      ),
    }),
  ),
  links: z.array(
    z.object({
      feature: z.string(),
      links: z.array(z.object({ id: z.string(), url: z.string(), title: z.string().nullable() })),
    }),
  ),
});

const importBody = z.object({ project: nameParam, environment: nameParam, data: importedDataSchema });

const environment = nameParam;
const downloadFile = z.boolean().default(true).meta({ description: 'Whether the answer is sent as a file download' });
const wholeSegments = z.boolean().default(false).meta({
  description:
    'Includes description, project and constraints of segments, for import into another Yardarm. Unleash refuses such a file',
});
const exportBody = z.union([
  z.object({
    environment,
    downloadFile,
    wholeSegments,
    features: z.array(nameParam).max(50_000).meta({ description: 'Names of flags; empty for all flags' }),
  }),
  z.object({
    environment,
    downloadFile,
    wholeSegments,
    tag: nameParam.meta({ description: 'A tag: its value, or type:value' }),
  }),
  z.object({ environment, downloadFile, wholeSegments, project: nameParam }),
]);

const item = z.object({ message: z.string(), affectedItems: z.array(z.string()) });
const importing = 'Needs the permission of each change; `validate` lists the missing permissions.';

/** Export and import of flags of one environment, in the format of Unleash (docs/spec#import-and-export). */
export const importExportRoutes = defineRoutes('Export and import', {
  'POST /api/admin/features-batch/export': {
    summary: 'Export the named flags, or the flags of a tag or project, with their state in an environment',
    description:
      'Unleash 8.2 and Yardarm can import the answer. The event keeps an export of up to 100,000 characters; of a longer one it keeps the names of the flags.',
    access: 'signed-in',
    body: exportBody,
    largeBody: 'signed-in',
    answers: { 200: stream(exportResultSchema) },
    errors: [404],
    emits: ['features-exported'],
  },
  'POST /api/admin/features-batch/validate': {
    summary: 'Validate an import: its changes, errors and missing permissions',
    description: 'Changes nothing. An import with errors or missing permissions is refused.',
    access: 'signed-in',
    body: importBody,
    largeBody: changesManyFlags,
    answers: {
      200: stream(
        z.object({
          errors: z.array(item),
          warnings: z.array(item),
          permissions: z.array(item),
          breakGlass: z.boolean().meta({
            description: 'Whether only review is missing, and the caller may break glass instead',
          }),
          changes: z.array(stateChangeSchema),
        }),
      ),
    },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/features-batch/import': {
    summary: 'Import an export into an environment of a project: all of it, or nothing',
    description: `Existing flags are overwritten; their tags and links are kept in addition to those of the export. Missing segments, context fields, tag types and custom strategies are created; existing ones are not changed. ${importing}`,
    access: 'signed-in',
    checks: [
      { permission: 'CREATE_FEATURE', where: 'to create a flag; other changes need the permission of their own route' },
    ],
    body: importBody,
    largeBody: changesManyFlags,
    answers: { 200: empty },
    errors: [404, 409],
    emits: [
      'features-imported',
      'feature-created',
      'feature-metadata-updated',
      'feature-stale-on',
      'feature-stale-off',
      'feature-strategy-add',
      'feature-strategy-update',
      'feature-strategy-remove',
      'feature-environment-enabled',
      'feature-environment-disabled',
      'feature-environment-variants-updated',
      'feature-tagged',
      'feature-link-added',
      'feature-dependency-added',
      'feature-dependency-removed',
      'tag-created',
      'tag-type-created',
      'context-field-created',
      'segment-created',
      'strategy-created',
    ],
  },
});
