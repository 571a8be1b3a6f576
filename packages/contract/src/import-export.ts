import { z } from 'zod';
import { constraintSchema } from './constraints.ts';
import { importedDataSchema } from './imported-data.ts';
import { defineRoutes, empty, stream } from './route.ts';
import { changesManyFlags, stateChangeSchema } from './state.ts';
import { variantSchema } from './strategies.ts';
import { nameParam } from './text.ts';

/** What is exported of flags in one environment (docs/spec#import-and-export). */
export const exportResultSchema = z.object({
  features: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      description: z.string().nullable(),
      project: z.string(),
      stale: z.boolean(),
      impressionData: z.boolean(),
      archived: z.boolean(),
    }),
  ),
  featureStrategies: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      featureName: z.string(),
      title: z.string().nullable(),
      disabled: z.boolean(),
      sortOrder: z.number().int(),
      parameters: z.record(z.string(), z.string()),
      constraints: z.array(constraintSchema),
      variants: z.array(variantSchema.omit({ overrides: true })),
      segments: z.array(z.number().int()),
    }),
  ),
  featureEnvironments: z.array(
    z.object({
      name: z.string().meta({ description: 'Of the flag, as in an export of Unleash' }),
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
const downloadFile = z.boolean().default(true).meta({ description: 'Whether a browser saves the answer as a file' });
const wholeSegments = z.boolean().default(false).meta({
  description:
    'Whether segments come with description, project and constraints, for a Yardarm that lacks them. Unleash refuses such a file',
});
const exportBody = z.union([
  z.object({
    environment,
    downloadFile,
    wholeSegments,
    features: z.array(nameParam).max(50_000).meta({ description: 'All of them when it is empty' }),
  }),
  z.object({
    environment,
    downloadFile,
    wholeSegments,
    tag: nameParam.meta({ description: 'Its value, or type:value' }),
  }),
  z.object({ environment, downloadFile, wholeSegments, project: nameParam }),
]);

const item = z.object({ message: z.string(), affectedItems: z.array(z.string()) });
const tag = 'Export and import';
const importing =
  'Needs for each change the permission that the change alone would need; `validate` names those that are missing.';

/** Flags with all that belongs to them in one environment, in the format of Unleash (docs/spec#import-and-export). */
export const importExportRoutes = defineRoutes({
  'POST /api/admin/features-batch/export': {
    tag,
    summary: 'Export flags as they are in an environment: those named, of a tag, or of a project',
    description: 'Unleash 8.2 and Yardarm import what it answers.',
    access: 'signed-in',
    body: exportBody,
    largeBody: 'signed-in',
    answers: { 200: stream(exportResultSchema) },
    errors: [404],
    emits: ['features-exported'],
  },
  'POST /api/admin/features-batch/validate': {
    tag,
    summary: 'What an import would change, and what keeps it from being made',
    description: 'Changes nothing. An import with errors, or without the permissions it needs, is refused.',
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
            description: 'Whether review is all that is missing, and the caller may break glass instead',
          }),
          changes: z.array(stateChangeSchema),
        }),
      ),
    },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/features-batch/import': {
    tag,
    summary: 'Import an export into a project and one of its environments: all of it, or nothing',
    description: `Flags that there are become as the export says; their tags and links stay besides those it has. Segments, context fields, types of tags and custom strategies are created where they are missing, and stay as they are else. ${importing}`,
    access: 'signed-in',
    checks: [
      { permission: 'CREATE_FEATURE', where: 'where a flag is new; for another change what its own route asks for' },
    ],
    body: importBody,
    largeBody: changesManyFlags,
    answers: { 200: empty },
    errors: [403, 404],
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
