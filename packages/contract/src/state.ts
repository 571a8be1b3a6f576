import { z } from 'zod';
import { allowBody, filterBody, guardsBody, payloadPath } from './action-conditions.ts';
import { constraintOperators } from './constraints.ts';
import { webAddress } from './flag-links.ts';
import { featureTypeIds } from './flags.ts';
import { createdTokenSchema, installationSchema } from './installation.ts';
import { defineRoutes, stream } from './route.ts';
import { anyJson } from './scalars.ts';
import { strategyParameters } from './strategies.ts';
import { featureNameText, filledText, nameParam, plainText, sortOrder, urlFriendly } from './text.ts';

/** One difference between what is and what is wanted. */
export const stateChangeSchema = z.object({
  type: z.string().meta({ description: 'Of the event that making it records' }),
  kind: z.enum([
    'project',
    'flag',
    'segment',
    'context-field',
    'tag-type',
    'strategy',
    'action-set',
    'environment',
    'tag',
    'user',
    'api-token',
  ]),
  name: z.string(),
  project: z.string().nullable(),
  environment: z.string().nullable(),
  item: z.string().nullable().meta({ description: 'The strategy, tag, link or parent of the flag that it is about' }),
  fields: z.array(z.object({ field: z.string(), before: anyJson.optional(), after: anyJson.optional() })),
});

const longText = 100_000;
const description = plainText(4000).nullable().optional().meta({ description: 'For people' });

const constraints = z.array(
  z.strictObject({
    contextName: filledText(255).meta({ description: 'The context field that it asks about' }),
    operator: z.enum(constraintOperators),
    values: z
      .array(plainText(longText))
      .optional()
      .meta({ description: 'What IN, NOT_IN, STR_… and IN_CIDR compare with: one of them is enough' }),
    value: plainText(longText).optional().meta({ description: 'What all other operators compare with' }),
    inverted: z.boolean().optional().meta({ description: 'Holds where it would not; not with REGEX' }),
    caseInsensitive: z.boolean().optional().meta({ description: 'For IN, NOT_IN, STR_… and REGEX' }),
  }),
);

const variant = z.strictObject({
  name: filledText(255),
  weight: z.number().int().min(0).max(1000).optional().meta({ description: 'In thousandths' }),
  weightType: z
    .enum(['variable', 'fix'])
    .optional()
    .meta({ description: '`fix` keeps its weight; those that are `variable` share the rest' }),
  stickiness: filledText(255)
    .optional()
    .meta({ description: 'The context field by which the same caller gets the same variant' }),
  payload: z
    .strictObject({ type: z.enum(['json', 'csv', 'string', 'number']), value: plainText(longText) })
    .optional()
    .meta({ description: 'What SDKs hand over with the variant' }),
});
const flagVariant = variant.extend({
  overrides: z
    .array(z.strictObject({ contextName: filledText(255), values: z.array(plainText(1000)).max(1000) }))
    .max(100)
    .optional()
    .meta({ description: 'Who gets this variant whatever the weights say' }),
});

const strategy = z.strictObject({
  name: filledText(100).meta({ description: 'Of the kind of strategy, such as flexibleRollout' }),
  title: plainText(500).nullable().optional().meta({ description: 'For people' }),
  disabled: z.boolean().optional().meta({ description: 'It is kept, and switches nothing on' }),
  parameters: strategyParameters
    .optional()
    .meta({ description: 'Such as rollout, stickiness and groupId of flexibleRollout' }),
  constraints: constraints.optional().meta({ description: 'All must hold' }),
  segments: z.array(filledText(255)).max(1000).optional().meta({ description: 'By their names; all must hold' }),
  variants: z
    .array(variant)
    .optional()
    .meta({ description: 'One of them goes to whoever gets the flag by this strategy' }),
});

const tagText = plainText(150)
  .regex(/^[^:]{2,50}:.{2,50}$/s, 'must look like type:value')
  .refine((text) => !/^\s|\s:|\s$/.test(text) && !/^[^:]*:\s/.test(text), 'must not have blanks around its parts');

const flag = z.strictObject({
  type: z.enum(featureTypeIds).optional().meta({ description: 'What it is there for' }),
  description,
  impressionData: z.boolean().optional().meta({ description: 'SDKs tell the application of each evaluation' }),
  stale: z.boolean().optional().meta({ description: 'It has done its work and can go from the code' }),
  tags: z.array(tagText).max(10_000).optional().meta({ description: 'Such as simple:checkout' }),
  links: z
    .array(z.union([webAddress, z.strictObject({ url: webAddress, title: plainText(255).nullable().optional() })]))
    .optional()
    .meta({ description: 'Addresses of the web, at most 10' }),
  dependsOn: z
    .union([
      featureNameText,
      z.strictObject({
        flag: featureNameText,
        enabled: z.boolean().optional().meta({ description: 'Whether that flag must be on, or off' }),
        variants: z
          .array(filledText(255))
          .max(100)
          .optional()
          .meta({ description: 'Of that flag, one of which it must have' }),
      }),
    ])
    .nullable()
    .optional()
    .meta({ description: 'The flag that must be on; null for none' }),
  environments: z
    .record(
      urlFriendly,
      z.strictObject({
        enabled: z.boolean().optional().meta({ description: 'Whether it is on' }),
        strategies: z.array(strategy).optional().meta({ description: 'Who gets it; any of them is enough' }),
        variants: z
          .array(flagVariant)
          .max(200)
          .optional()
          .meta({ description: 'Of the flag itself; a strategy with variants has its own' }),
      }),
    )
    .optional()
    .meta({ description: 'By the names of environments of the project' }),
});

/** A set of actions, with names where the API has ids. */
const actionSet = z.strictObject({
  description,
  enabled: z.boolean().optional().meta({ description: 'Whether signals set it off' }),
  shadow: z.boolean().optional().meta({ description: 'Records runs without changing anything' }),
  serviceAccount: filledText(255).optional().meta({ description: 'Who runs it, by username' }),
  when: z
    .strictObject({
      endpoint: filledText(100).optional().meta({ description: 'The signal endpoint, by its name' }),
      forEach: payloadPath
        .nullable()
        .optional()
        .meta({ description: 'Path of an array: the actions run for each element' }),
      filters: z
        .record(payloadPath, filterBody)
        .optional()
        .meta({ description: 'By paths in the payload; all must pass' }),
    })
    .optional(),
  do: z
    .array(
      z.strictObject({
        action: filledText(100).meta({ description: 'The action kind, such as HOLD_FEATURE' }),
        parameters: z.record(plainText(100), z.json()).default({}).meta({ description: 'Without the project' }),
      }),
    )
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'In this order' }),
  allow: allowBody.nullable().optional().meta({ description: 'What parameters from the payload may name' }),
  guards: guardsBody.nullable().optional().meta({ description: 'Limits on how often the action set runs and how much it changes' }),
});

const project = z.strictObject({
  name: filledText(255).optional().meta({ description: 'For people' }),
  description,
  mode: z
    .enum(['open', 'protected', 'private'])
    .optional()
    .meta({ description: 'Whether all Editors work in it; private hides it from who has no role there' }),
  defaultStickiness: filledText(100).optional().meta({ description: 'What new gradual rollouts in it are sticky by' }),
  featureLimit: z
    .number()
    .int()
    .min(1)
    .max(2147483647)
    .nullable()
    .optional()
    .meta({ description: 'Most flags; null for no limit of its own' }),
  environments: z
    .array(urlFriendly)
    .max(1000)
    .optional()
    .meta({ description: 'Of those that there are; for a new project, all that are enabled' }),
  flags: z.record(featureNameText, flag).optional().meta({ description: 'By their names' }),
  actions: z.record(filledText(255), actionSet).optional().meta({ description: 'Sets of actions, by their names' }),
});

/**
 * How projects, flags and what they use are to be: state as code. What is not named stays as it is, lists are complete, and a
 * key that is not known is refused.
 */
export const stateSchema = z.strictObject({
  version: z.literal(1),
  projects: z
    .record(
      urlFriendly.refine((id) => id !== 'archive' && id !== 'revive', 'must not be archive or revive'),
      project,
    )
    .optional()
    .meta({ description: 'By their ids' }),
  segments: z
    .record(
      filledText(255),
      z.strictObject({
        description,
        project: nameParam.nullable().optional().meta({ description: 'Whose flags alone may use it; null for all' }),
        constraints: constraints.optional().meta({ description: 'All must hold' }),
      }),
    )
    .optional()
    .meta({ description: 'By their names' }),
  contextFields: z
    .record(
      urlFriendly,
      z.strictObject({
        description,
        stickiness: z.boolean().optional().meta({ description: 'Offered for rollouts and variants to be sticky by' }),
        sortOrder: sortOrder.optional().meta({ description: 'Where it stands in lists' }),
        legalValues: z
          .array(
            z.union([
              filledText(100),
              z.strictObject({ value: filledText(100), description: plainText(1000).optional() }),
            ]),
          )
          .max(10_000)
          .optional()
          .meta({ description: 'The only values that constraints on it may name; any when there are none' }),
        project: nameParam
          .nullable()
          .optional()
          .meta({ description: 'Whose constraints it is offered for; null for all. Decided when it is created' }),
      }),
    )
    .optional()
    .meta({ description: 'By their names' }),
  tagTypes: z
    .record(
      urlFriendly.min(2).max(50),
      z.strictObject({
        description: plainText(4000).optional().meta({ description: 'For people' }),
        icon: plainText(255).nullable().optional().meta({ description: 'For people' }),
        color: z
          .string()
          .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as #00aa7f')
          .nullable()
          .optional()
          .meta({ description: 'Such as #00aa7f' }),
      }),
    )
    .optional()
    .meta({ description: 'By their names' }),
});
export type State = z.input<typeof stateSchema>;
export type ParsedState = z.output<typeof stateSchema>;

const prune = z.boolean().default(false).meta({
  description:
    'Archive the flags of the projects that are named which the state does not name, and disable the sets of actions where it names any',
});
const installation = installationSchema.optional().meta({
  description:
    'What is created besides where it is missing: environments, custom strategies, tags, users and API tokens. Needs ADMIN',
});
const skipped = z
  .array(z.object({ message: z.string(), names: z.array(z.string()) }))
  .optional()
  .meta({ description: 'Parts of the installation that cannot be created, and why' });
const changes = z.array(stateChangeSchema);
const tag = 'State as code';

/** Permissions of callers who import flags or apply a state: each changes something that these may hold. */
export const changesManyFlags = [
  'CREATE_FEATURE',
  'UPDATE_FEATURE',
  'DELETE_FEATURE',
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  'CREATE_SEGMENT',
  'UPDATE_SEGMENT',
  'UPDATE_PROJECT_SEGMENT',
  'CREATE_CONTEXT_FIELD',
  'UPDATE_CONTEXT_FIELD',
  'UPDATE_PROJECT_CONTEXT',
] as const;

/** Several projects and their flags looked at and changed at once. */
export const stateRoutes = defineRoutes({
  'GET /api/admin/state': {
    tag,
    summary: 'How projects, flags and what they use are, as state that could be applied',
    description: 'Without archived projects and flags.',
    access: 'signed-in',
    query: z.object({
      projects: plainText(100_000).optional().meta({ description: 'Ids, with commas between; all when absent' }),
    }),
    answers: { 200: stream(stateSchema) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/state/plan': {
    tag,
    summary: 'What would change for things to be as a state says, and what keeps it from that',
    description: 'Changes nothing.',
    access: 'signed-in',
    body: z.object({ state: stateSchema, prune, installation }),
    largeBody: changesManyFlags,
    answers: {
      200: stream(
        z.object({
          fingerprint: z.string().meta({ description: 'Of these changes, for applying them' }),
          changes,
          errors: z.array(z.object({ path: z.string(), message: z.string() })),
          permissions: z.array(z.object({ message: z.string(), names: z.array(z.string()) })),
          skipped,
        }),
      ),
    },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/state/apply': {
    tag,
    summary: 'Make things what a state says: all of it, or nothing',
    description: 'With the fingerprint of a plan it is refused when by now other changes would be made.',
    access: 'signed-in',
    checks: [
      { permission: 'CREATE_FEATURE', where: 'to create a flag; other changes need the permission of their own route' },
    ],
    body: z.object({ state: stateSchema, prune, installation, fingerprint: plainText(100).optional() }),
    largeBody: changesManyFlags,
    answers: {
      200: stream(
        z.object({
          changes,
          skipped,
          apiTokens: z
            .array(createdTokenSchema)
            .optional()
            .meta({ description: 'Those that were created, with their secrets: only this answer tells them' }),
        }),
      ),
    },
    errors: [403, 404, 409],
    secrets: true,
    emits: [
      'project-created',
      'project-updated',
      'project-environment-added',
      'project-environment-removed',
      'tag-type-created',
      'tag-type-updated',
      'context-field-created',
      'context-field-updated',
      'segment-created',
      'segment-updated',
      'tag-created',
      'feature-created',
      'feature-metadata-updated',
      'feature-stale-on',
      'feature-stale-off',
      'feature-revived',
      'feature-archived',
      'feature-tagged',
      'feature-untagged',
      'feature-link-added',
      'feature-link-updated',
      'feature-link-removed',
      'feature-strategy-add',
      'feature-strategy-update',
      'feature-strategy-remove',
      'feature-environment-enabled',
      'feature-environment-disabled',
      'feature-environment-variants-updated',
      'feature-dependency-added',
      'feature-dependency-removed',
      'feature-dependencies-removed',
      'actions-created',
      'actions-updated',
      'environment-created',
      'strategy-created',
      'user-created',
      'api-token-created',
    ],
  },
});
