import { z } from 'zod';
import { constraintSchema } from './constraints.ts';
import { holdSchema } from './hold.ts';
import { defineRoutes, stream } from './route.ts';
import { idParam } from './scalars.ts';
import { hasFewFields, readContext, tooManyFields } from './sdk-context.ts';
import { plainText, urlFriendly } from './text.ts';

const maxText = 10_000;
const time = z.iso.datetime({ offset: true, error: 'must be a date and time such as 2027-01-31T12:00:00Z' });

/**
 * A context as people type it (docs/spec#playground). What is no text, number or truth value is left out and
 * named in `invalid`.
 */
const contextBody = z
  .object({ appName: plainText(maxText).min(1, 'must not be empty'), currentTime: time.nullish() })
  .catchall(z.unknown())
  .refine(hasFewFields, tooManyFields)
  .transform(readContext);

const projects = z
  .union([z.literal('*'), z.array(urlFriendly).max(1000)])
  .default('*')
  .meta({ description: 'Ids of projects, or * for all that the caller sees' });

const contextSchema = z.record(z.string(), z.unknown());
const variantSchema = z.object({
  name: z.string(),
  enabled: z.boolean(),
  payload: z.object({ type: z.string(), value: z.string() }).optional(),
});
const variantsSchema = z.array(z.object({ name: z.string(), weight: z.number() }).catchall(z.unknown()));
const toldConstraint = constraintSchema.partial({ values: true, inverted: true, caseInsensitive: true }).extend({
  result: z.boolean(),
  overBudget: z.literal(true).optional().meta({
    description:
      'There, and `result` false, when the constraint was not tested because that would have gone over the budget of the evaluation',
  }),
});
const unknown = z.literal('unknown');

const playgroundStrategySchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().optional(),
  disabled: z.boolean(),
  result: z.union([
    z.object({
      evaluationStatus: z.enum(['incomplete', 'unevaluated']),
      enabled: z.union([z.literal(false), unknown]),
    }),
    z.object({
      evaluationStatus: z.literal('complete'),
      enabled: z.boolean(),
      variant: variantSchema.nullable(),
      variants: variantsSchema,
    }),
  ]),
  parameters: z.record(z.string(), z.string()),
  constraints: z.array(toldConstraint),
  segments: z.array(
    z.object({ id: z.number().int(), name: z.string(), result: z.boolean(), constraints: z.array(toldConstraint) }),
  ),
  links: z.object({ edit: z.string() }),
});

const playgroundFeatureSchema = z.object({
  name: z.string(),
  projectId: z.string(),
  isEnabled: z.boolean(),
  isEnabledInCurrentEnvironment: z
    .boolean()
    .meta({ description: 'The effective state: the hold in force, or else the configured state' }),
  isConfiguredOn: z.boolean().meta({ description: 'The configured state, whatever holds the flag' }),
  lease: holdSchema
    .nullable()
    .meta({ description: 'The hold in force; null when the flag is in its configured state' }),
  hasUnsatisfiedDependency: z.boolean(),
  strategies: z.object({ result: z.union([z.boolean(), unknown]), data: z.array(playgroundStrategySchema) }),
  variant: variantSchema.extend({ feature_enabled: z.boolean(), featureEnabled: z.boolean() }).nullable(),
  variants: variantsSchema,
});

const advancedAnswer = stream(
  z.object({
    input: z.object({
      environments: z.array(z.string()),
      projects: z.union([z.literal('*'), z.array(z.string())]),
      context: contextSchema,
    }),
    warnings: z.object({ invalidContextProperties: z.array(z.string()) }),
    features: z.array(
      z.object({
        name: z.string(),
        projectId: z.string(),
        environments: z.record(
          z.string(),
          z.array(playgroundFeatureSchema.extend({ environment: z.string(), context: contextSchema })),
        ),
      }),
    ),
  }),
);

const tag = 'Playground';

/** Nobody has to hold a permission; private projects show to those who see them. */
export const playgroundRoutes = defineRoutes({
  'POST /api/admin/playground': {
    tag,
    summary: 'What flags are for somebody in an environment, and why',
    description: 'Evaluates the very flags that SDKs get, also where they are off, down to each constraint.',
    access: 'signed-in',
    body: z.object({ environment: urlFriendly, projects, context: contextBody }),
    answers: {
      200: stream(
        z.object({
          input: z.object({
            environment: z.string(),
            projects: z.union([z.literal('*'), z.array(z.string())]),
            context: contextSchema,
          }),
          features: z.array(playgroundFeatureSchema),
        }),
      ),
    },
    errors: [],
    emits: [],
  },
  'POST /api/admin/playground/advanced': {
    tag,
    summary: 'What flags are for several contexts in several environments, and why',
    description:
      'A value of the context may list several, with commas between them; every combination is evaluated in every environment. Fields that are no text are left out and named in `warnings`.',
    access: 'signed-in',
    body: z.object({
      environments: z.array(urlFriendly).min(1, 'must not be empty').max(100),
      projects,
      context: contextBody,
    }),
    answers: { 200: advancedAnswer },
    errors: [],
    emits: [],
  },
  'POST /api/admin/playground/change-request/:id': {
    tag,
    summary: 'What flags would be once a change request is applied, and why',
    description:
      'The changes are made and taken back, and the flags evaluated in the environment of the request as with several contexts. Without `projects` the flags of the project of the request are shown.',
    access: 'signed-in',
    params: z.object({ id: idParam }),
    body: z.object({ projects: projects.unwrap().optional(), context: contextBody }),
    answers: { 200: advancedAnswer },
    errors: [404, 409],
    emits: [],
  },
});
