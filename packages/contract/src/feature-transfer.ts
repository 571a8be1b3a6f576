import { z } from 'zod';
import { constraintBody, constraintSchema } from './constraints.ts';
import { webAddress } from './feature-links.ts';
import { featureTypeIds } from './features.ts';
import { defineRoutes, empty, json } from './route.ts';
import { stateChangeSchema } from './state.ts';
import { strategyParameters, strategyVariantSchema, variantSchema } from './strategies.ts';
import { tagBody } from './tags.ts';
import { featureNameText, filledText, nameParam, plainText, sortOrder, urlFriendly } from './text.ts';

const legalValue = z.object({ value: filledText(100), description: plainText(1000).optional() });

/** What is exported of flags in one environment (unleash-facts 6.11). */
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
      name: z.string(),
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
      description: z.string().nullable(),
      project: z.string().nullable(),
      constraints: z.array(constraintSchema),
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
      links: z.array(z.object({ url: z.string(), title: z.string().nullable() })),
    }),
  ),
});

/** Versions differ in where they write null and where nothing: both mean that nothing is said. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => member !== null && key !== '__proto__')
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}

const flagName = featureNameText;
const flagVariant = strategyVariantSchema.extend({
  weightType: strategyVariantSchema.shape.weightType.default('variable'),
  stickiness: strategyVariantSchema.shape.stickiness.default('default'),
  overrides: z.array(z.object({ contextName: filledText(255), values: z.array(plainText(1000)).max(1000) })).optional(),
});
const strategyVariant = flagVariant.omit({ overrides: true });

/** An export of Unleash 4.22 or newer, or of Yardarm. What is not named here is not read. */
const importedData = z.object({
  features: z.array(
    z.object({
      name: flagName,
      type: z.enum(featureTypeIds).optional(),
      description: plainText(4000).optional(),
      stale: z.boolean().optional(),
      impressionData: z.boolean().optional(),
      variants: z.array(flagVariant).optional().meta({ description: 'Where the environments name none' }),
    }),
  ),
  featureStrategies: z
    .array(
      z
        .object({
          name: filledText(100).optional(),
          strategyName: filledText(100).optional(),
          featureName: flagName,
          title: plainText(500).optional(),
          disabled: z.boolean().optional(),
          sortOrder: sortOrder.optional(),
          parameters: strategyParameters.optional(),
          constraints: z.array(constraintBody).optional(),
          variants: z.array(strategyVariant).optional(),
          segments: z.array(z.number().int()).optional(),
        })
        .refine(({ name, strategyName }) => (name ?? strategyName) !== undefined, 'must have a name'),
    )
    .default([]),
  featureEnvironments: z
    .array(
      z
        .object({
          name: z.string().optional(),
          featureName: flagName.optional(),
          environment: z.string().optional(),
          enabled: z.boolean().optional(),
          variants: z.array(flagVariant).optional(),
        })
        .refine(({ name, featureName }) => (featureName ?? name) !== undefined, 'must have a featureName'),
    )
    .default([]),
  contextFields: z
    .array(
      z.object({
        name: urlFriendly,
        description: plainText(4000).optional(),
        stickiness: z.boolean().optional(),
        sortOrder: sortOrder.optional(),
        legalValues: z
          .array(z.union([legalValue, filledText(100).transform((value) => ({ value }))]))
          .max(10_000)
          .optional(),
        project: nameParam.optional(),
      }),
    )
    .default([]),
  featureTags: z
    .array(
      z
        .object({
          featureName: flagName,
          tagType: z.string().optional(),
          tagValue: z.string().optional(),
          type: z.string().optional(),
          value: z.string().optional(),
        })
        .transform(({ featureName, tagType, tagValue, type, value }) => ({
          featureName,
          type: tagType ?? type,
          value: tagValue ?? value,
        }))
        .pipe(tagBody.extend({ featureName: flagName })),
    )
    .default([]),
  segments: z
    .array(
      z.object({
        id: z.number().int(),
        name: filledText(255),
        description: plainText(4000).optional(),
        project: nameParam.optional(),
        constraints: z.array(constraintBody).optional(),
      }),
    )
    .default([]),
  tagTypes: z
    .array(
      z.object({
        name: urlFriendly.min(2).max(50),
        description: plainText(4000).optional(),
        icon: plainText(255).optional(),
        color: z
          .string()
          .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as #00aa7f')
          .optional(),
      }),
    )
    .default([]),
  dependencies: z
    .array(
      z.object({
        feature: flagName,
        dependencies: z
          .array(
            z.object({
              feature: flagName,
              enabled: z.boolean().optional(),
              variants: z.array(filledText(255)).max(100).optional(),
            }),
          )
          .max(1, 'can hold one'),
      }),
    )
    .default([]),
  links: z
    .array(
      z.object({
        feature: flagName,
        links: z.array(z.object({ url: webAddress, title: plainText(255).optional() })),
      }),
    )
    .default([]),
});
export type ImportedData = z.output<typeof importedData>;

function parseText(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
}

export const importedDataSchema = z
  .union([z.string().transform(parseText), z.looseObject({})])
  .transform(withoutNulls)
  .pipe(importedData)
  .meta({ description: 'The export, or its text' });
const importBody = z.object({ project: nameParam, environment: nameParam, data: importedDataSchema });

const environment = nameParam;
const downloadFile = z.boolean().default(true).meta({ description: 'Whether a browser saves the answer as a file' });
const exportBody = z.union([
  z.object({
    environment,
    downloadFile,
    features: z.array(nameParam).max(50_000).meta({ description: 'All of them when it is empty' }),
  }),
  z.object({ environment, downloadFile, tag: nameParam.meta({ description: 'Its value, or type:value' }) }),
  z.object({ environment, downloadFile, project: nameParam }),
]);

const item = z.object({ message: z.string(), affectedItems: z.array(z.string()) });
const tag = 'Export and import';
const importing =
  'Needs for each change the permission that the change alone would need; `validate` names those that are missing.';

/** Flags with all that belongs to them in one environment, in the format of Unleash (unleash-facts 6.11). */
export const featureTransferRoutes = defineRoutes({
  'POST /api/admin/features-batch/export': {
    tag,
    summary: 'Export flags as they are in an environment: those named, of a tag, or of a project',
    access: 'signed-in',
    body: exportBody,
    answers: { 200: json(exportResultSchema) },
    errors: [404],
    emits: ['features-exported'],
  },
  'POST /api/admin/features-batch/validate': {
    tag,
    summary: 'What an import would change, and what keeps it from being made',
    description: 'Changes nothing. An import with errors, or without the permissions it needs, is refused.',
    access: 'signed-in',
    body: importBody,
    answers: {
      200: json(
        z.object({
          errors: z.array(item),
          warnings: z.array(item),
          permissions: z.array(item),
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
    description: `Flags that there are become as the export says; their tags and links stay besides those it has. Segments, context fields and types of tags are created where they are missing, and stay as they are else. ${importing}`,
    access: 'signed-in',
    body: importBody,
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
    ],
  },
});
