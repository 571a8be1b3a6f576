import { z } from 'zod';
import { constraintSchema } from './constraints.ts';
import { holdSchema } from './hold.ts';
import { defineRoutes, stream } from './route.ts';
import { hasFewFields, readContext, tooManyFields } from './sdk-context.ts';
import { plainText, urlFriendly } from './text.ts';

const maxText = 10_000;
const dateTime = z.iso.datetime({ offset: true });
/** A date and time; blank text counts as absent. */
const time = z
  .string()
  .refine(
    (text) => text.trim() === '' || dateTime.safeParse(text).success,
    'must be a date and time such as 2027-01-31T12:00:00Z',
  )
  .meta({ format: 'date-time' });

/**
 * A context as users type it (docs/spec#playground). Values that are not text, numbers or booleans
 * are left out and listed in `invalid`.
 */
const contextBody = z
  .object({ appName: plainText(maxText).min(1, 'must not be empty'), currentTime: time.nullish() })
  .catchall(z.unknown())
  .refine(hasFewFields, tooManyFields)
  .transform(readContext);

const projects = z
  .union([z.literal('*'), z.array(urlFriendly).max(1000)])
  .default('*')
  .meta({ description: 'Ids of projects, or * for all projects that the caller can see' });

const contextSchema = z.record(z.string(), z.unknown());
const variantSchema = z.object({
  name: z.string(),
  enabled: z.boolean(),
  payload: z.object({ type: z.string(), value: z.string() }).optional(),
});
const variantsSchema = z.array(z.object({ name: z.string(), weight: z.number() }).catchall(z.unknown()));
const explainedConstraint = constraintSchema.partial({ values: true, inverted: true, caseInsensitive: true }).extend({
  result: z.boolean(),
  overBudget: z.literal(true).optional().meta({
    description:
      'Present when the constraint was not tested because it would have exceeded the evaluation budget. `result` is then false',
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
  constraints: z.array(explainedConstraint),
  segments: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      result: z.boolean(),
      constraints: z.array(explainedConstraint),
    }),
  ),
  links: z.object({ edit: z.string() }),
});

const playgroundFeatureSchema = z.object({
  name: z.string(),
  projectId: z.string(),
  isEnabled: z.boolean(),
  isEnabledInCurrentEnvironment: z.boolean().meta({ description: 'The effective state, which a lease may hold' }),
  isConfiguredOn: z.boolean().meta({ description: 'The configured state, without holds' }),
  lease: holdSchema.nullable().meta({ description: 'What holds the flag over its configured state' }),
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

/** The playground needs no permission. It shows only projects that the caller can see. */
export const playgroundRoutes = defineRoutes('Playground', {
  'POST /api/admin/playground': {
    summary: 'Evaluate flags for a context in an environment, with explanations',
    description: 'Evaluates the same flags that SDKs get and explains each strategy, segment and constraint.',
    access: 'signed-in',
    body: z.object({ environment: urlFriendly, projects, context: contextBody }),
    exactNumbers: true,
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
    emits: [],
  },
  'POST /api/admin/playground/advanced': {
    summary: 'Evaluate flags for several contexts in several environments, with explanations',
    description:
      'A value of the context may be a comma-separated list; every combination is evaluated in every environment. A comma in a value is written `\\,`, and a backslash before it `\\\\`. Fields that are not text are left out and listed in `warnings`.',
    access: 'signed-in',
    body: z.object({
      environments: z.array(urlFriendly).min(1, 'must not be empty').max(100),
      projects,
      context: contextBody,
    }),
    exactNumbers: true,
    answers: { 200: advancedAnswer },
    emits: [],
  },
  'POST /api/admin/playground/change-request/:id': {
    summary: 'Evaluate flags as they would be after a change request, with explanations',
    description:
      'Makes the changes, evaluates the flags in the environment of the request, and rolls the changes back. Several contexts are supported as in the advanced playground. Without `projects`, shows the flags of the request’s project.',
    access: 'signed-in',
    body: z.object({ projects: projects.unwrap().optional(), context: contextBody }),
    exactNumbers: true,
    answers: { 200: advancedAnswer },
    errors: [409],
    emits: [],
  },
});
