import { operatorNames } from '@yardarm/evaluation/operators';
import { z } from 'zod';
import { allowBody, filterBody, guardsBody, payloadPath } from './action-conditions.ts';
import { setTrigger, triggerNote } from './actions.ts';
import { flagInput } from './flag-fields.ts';
import { webAddress } from './flag-links.ts';
import { changeReasonBody, linkTemplatesBody, namingBody } from './projects.ts';
import { maxMilestones, transitionConditionSchema } from './release-milestones.ts';
import { maxHalts, restMinutes, shadow, stepDownMinutes } from './release-plans.ts';
import { releaseNames } from './release-templates.ts';
import { maxSafeguards, safeguardBody } from './safeguards.ts';
import { anyJson } from './scalars.ts';
import { pulled, refuseSwitchesOfPeople, switchedBy } from './state-switches.ts';
import { strategyFields, strategyInput } from './strategy-fields.ts';
import {
  eachOnce,
  featureNameText,
  filledText,
  hasEachOnce,
  keyLabel,
  nameParam,
  plainText,
  sortOrder,
  urlFriendly,
} from './text.ts';
import { flagVariantBody, strategyVariantSchema } from './variant-fields.ts';

/** One difference between the current state and the desired state. */
export const stateChangeSchema = z.object({
  type: z.string().meta({ description: 'The type of the event that the change records' }),
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
    'release-template',
  ]),
  name: z.string(),
  project: z.string().nullable(),
  environment: z.string().nullable(),
  item: z.string().nullable().meta({ description: 'The strategy, milestone or other part of the flag that changes' }),
  fields: z.array(z.object({ field: z.string(), before: anyJson.optional(), after: anyJson.optional() })),
  warning: z.string().optional().meta({ description: 'For example, that no SDK has reported a metric yet' }),
});

const longText = 100_000;
const description = plainText(4000).nullable().optional().meta({ description: 'Free text' });

const constraints = z.array(
  z.strictObject({
    contextName: filledText(255).meta({ description: 'The context field to test' }),
    operator: z.enum(operatorNames),
    values: z
      .array(plainText(longText))
      .optional()
      .meta({ description: 'The values that IN, NOT_IN, STR_… and IN_CIDR compare with; one match is enough' }),
    value: plainText(longText).optional().meta({ description: 'The value that all other operators compare with' }),
    inverted: z.boolean().optional().meta({ description: 'Inverts the result; not with REGEX' }),
    caseInsensitive: z.boolean().optional().meta({ description: 'For IN, NOT_IN, STR_… and REGEX' }),
  }),
);

const variantInput = strategyVariantSchema.partial({ weight: true, weightType: true, stickiness: true }).shape;
const flagVariant = flagVariantBody
  .extend({
    ...variantInput,
    payload: variantInput.payload
      .unwrap()
      .strict()
      .optional()
      .meta({ description: 'Data that SDKs return with the variant' }),
    overrides: z
      .array(z.strictObject({ contextName: filledText(255), values: z.array(plainText(1000)).max(1000) }))
      .max(100)
      .optional()
      .meta({ description: 'Contexts that always get this variant, regardless of weights' }),
  })
  .strict();

const strategy = strategyInput
  .omit({ sortOrder: true })
  .extend({
    name: strategyFields.name.input,
    disabled: z.boolean().optional().meta({ description: 'A disabled strategy is kept and has no effect' }),
    constraints: constraints.optional().meta({ description: 'All constraints must be met' }),
    segments: z.array(filledText(255)).max(1000).optional().meta({ description: 'Names of segments; all must be met' }),
    variants: z
      .array(flagVariant.omit({ overrides: true }))
      .optional()
      .meta({ description: 'Variants for users who get the flag by this strategy' }),
  })
  .strict();

const approval = z
  .strictObject({
    by: z.enum(['person', 'action']),
    role: filledText(255)
      .optional()
      .meta({ description: 'The name of a role that the person must have; any role when absent' }),
  })
  .refine(({ by, role }) => by === 'person' || role === undefined, {
    path: ['role'],
    message: 'must be absent: only a person has a role',
  });

const safeguards = z.array(z.strictObject(safeguardBody.shape)).max(maxSafeguards).optional();

const milestone = z.strictObject({
  name: releaseNames.name,
  transitionCondition: transitionConditionSchema
    .extend({ approval: approval.optional().meta({ description: 'Who must approve the milestone' }) })
    .nullable()
    .optional()
    .meta({ description: 'The gates to the next milestone; when absent, a person starts it' }),
  strategies: z.array(strategy).max(100),
});

/** A release plan, without ids, times and approvals. */
const releasePlan = z.strictObject({
  name: releaseNames.name.optional().meta({ description: 'Cannot be changed' }),
  description: releaseNames.description.meta({ description: 'Free text. Cannot be changed' }),
  maxHalts: maxHalts.nullable().optional().meta({
    description: 'Halts at a milestone after which the plan goes back to the first. Cannot be changed',
  }),
  stepDownMinutes: stepDownMinutes.nullable().optional(),
  restMinutes: restMinutes.optional(),
  shadow: shadow
    .optional()
    .meta({ description: 'The plan serves nothing, and records what it would do. Cannot be changed' }),
  milestones: z
    .array(
      milestone.extend({
        strategies: milestone.shape.strategies.min(1).meta({ description: 'One of them must be active' }),
      }),
    )
    .min(1)
    .max(maxMilestones)
    .optional()
    .meta({ description: 'In order; required for a new plan. Their names, number and order cannot be changed' }),
  safeguards: safeguards.meta({
    description: 'Pause the plan, or hold the flag, when an impact metric crosses a threshold',
  }),
});

/** A template of release plans, without ids. */
const releaseTemplate = z.strictObject({
  description: releaseNames.description.meta({ description: 'Free text' }),
  project: nameParam
    .nullable()
    .optional()
    .meta({ description: 'The project whose flags can use the template; null for all projects' }),
  archived: z.boolean().optional().meta({
    description: '`true` archives the template; a named template that is archived is revived otherwise',
  }),
  milestones: z.array(milestone).max(maxMilestones).optional().meta({ description: 'In order' }),
});

const tagText = plainText(150)
  .regex(
    /^[^:]{2,50}:.{2,50}$/s,
    'must have the form type:value, with 2 to 50 characters each, such as simple:checkout',
  )
  .refine(
    // The type ends at the first colon; the value can have more of them, with spaces around them.
    (text) => !/^\s|^[^:]*\s:|^[^:]*:\s|\s$/.test(text),
    'must not have spaces around its type or value',
  );

const flag = z.strictObject({
  switchedBy: switchedBy.meta({
    description:
      '`people`: the files describe the flag and do not switch it; `enabled` must be left out. Default: that of the project',
  }),
  ...flagInput.shape,
  tags: z.array(tagText).max(10_000).optional().meta({ description: 'Tags such as simple:checkout' }),
  links: z
    .array(z.union([webAddress, z.strictObject({ url: webAddress, title: plainText(255).nullable().optional() })]))
    .optional()
    .meta({ description: 'At most 10 http or https URLs' }),
  dependsOn: z
    .union([
      featureNameText,
      z.strictObject({
        flag: featureNameText,
        enabled: z.boolean().optional().meta({ description: 'Whether the parent flag must be enabled or disabled' }),
        variants: z
          .array(filledText(255))
          .max(100)
          .optional()
          .meta({ description: 'Variants of the parent; it must have one of them' }),
      }),
    ])
    .nullable()
    .optional()
    .meta({ description: 'The parent flag, which must be enabled; null for none' }),
  environments: z
    .record(
      urlFriendly,
      z.strictObject({
        enabled: z.boolean().optional().meta({ description: 'Whether the flag is enabled' }),
        strategies: z
          .array(strategy)
          .optional()
          .meta({ description: 'Activation strategies, without those of a release plan; one match is enough' }),
        variants: z
          .array(flagVariant)
          .max(200)
          .optional()
          .meta({ description: 'Variants of the flag. The variants of a strategy take precedence' }),
        releasePlan: releasePlan.nullable().optional().meta({
          description: 'Starts at its first milestone when it is added; null removes it, with its strategies',
        }),
        safeguards: safeguards.meta({ description: 'Switch the flag off when an impact metric crosses a threshold' }),
      }),
    )
    .optional()
    .meta({ description: 'By names of the project’s environments' }),
});

/** An action set, with names in place of the ids of the API. */
const actionSet = z.strictObject({
  description,
  enabled: z.boolean().optional().meta({ description: 'Whether signals trigger the action set' }),
  shadow: z.boolean().optional().meta({ description: 'Records runs without changing anything' }),
  serviceAccount: filledText(255)
    .optional()
    .meta({ description: 'The username of the service account that runs the actions' }),
  when: z
    .strictObject({
      endpoint: filledText(100).optional().meta({ description: 'The name of the signal endpoint' }),
      trigger: setTrigger.optional().meta({ description: triggerNote }),
      forEach: payloadPath
        .nullable()
        .optional()
        .meta({ description: 'Path of an array in the payload: the actions run for each element' }),
      filters: z
        .record(payloadPath, filterBody)
        .optional()
        .meta({ description: 'Filters by payload path; all must pass' }),
      release: z
        .record(payloadPath, filterBody)
        .nullable()
        .optional()
        .meta({ description: 'Filters of signals that release what the actions hold; all must pass' }),
    })
    .optional(),
  do: z
    .array(
      z.strictObject({
        action: filledText(100).meta({ description: 'The action kind, such as HOLD_FEATURE' }),
        parameters: z
          .record(plainText(100), z.json())
          .default({})
          .meta({ description: 'Parameters of the action, without the project' }),
      }),
    )
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'Actions, run in this order' }),
  allow: allowBody
    .nullable()
    .optional()
    .meta({ description: 'Flags, tags and environments that values from the payload may name' }),
  guards: guardsBody
    .nullable()
    .optional()
    .meta({ description: 'Limits on how often the action set runs and how much it changes' }),
});

const project = z.strictObject({
  switchedBy: switchedBy.meta({
    description: '`people`: the files describe the flags and do not switch them. Default: `files`',
  }),
  name: filledText(255).optional().meta({ description: 'The display name' }),
  description,
  mode: z
    .enum(['open', 'protected', 'private'])
    .optional()
    .meta({ description: 'Whether all Editors can work in the project. A private project is visible to members only' }),
  defaultStickiness: filledText(100).optional().meta({ description: 'The default stickiness of new gradual rollouts' }),
  featureLimit: z
    .number()
    .int()
    .min(1)
    .max(2147483647)
    .nullable()
    .optional()
    .meta({ description: 'The maximum number of flags; null for no limit' }),
  featureNaming: namingBody
    .strict()
    .optional()
    .meta({ description: 'A regular expression that the whole names of new flags must match' }),
  linkTemplates: linkTemplatesBody.optional().meta({ description: 'Links that new flags get' }),
  changeReason: changeReasonBody.strict().optional().meta({
    description: 'Whether changes of flags need a reason, and the regular expression that it must contain a match of',
  }),
  environments: z
    .array(urlFriendly)
    .max(1000)
    .optional()
    .meta({ description: 'Names of existing environments. Default for a new project: all enabled environments' }),
  flags: z.record(featureNameText, flag).optional().meta({ description: 'Objects by name' }),
  actions: z.record(keyLabel(255), actionSet).optional().meta({ description: 'Action sets by name' }),
});

const wholeState = z.strictObject({
  version: z.literal(1),
  pulled,
  projects: z
    .record(
      urlFriendly.refine((id) => id !== 'archive' && id !== 'revive', 'must not be archive or revive'),
      project,
    )
    .optional()
    .meta({ description: 'Projects by id' }),
  segments: z
    .record(
      filledText(255),
      z.strictObject({
        description,
        project: nameParam
          .nullable()
          .optional()
          .meta({ description: 'The project whose flags may use the segment; null for all projects' }),
        constraints: constraints.optional().meta({ description: 'All constraints must be met' }),
      }),
    )
    .optional()
    .meta({ description: 'Objects by name' }),
  contextFields: z
    .record(
      urlFriendly,
      z.strictObject({
        description,
        stickiness: z
          .boolean()
          .optional()
          .meta({ description: 'Whether the field can be used as stickiness of rollouts and variants' }),
        sortOrder: sortOrder.optional().meta({ description: 'The position in lists' }),
        legalValues: z
          .array(
            z.union([
              filledText(100),
              z.strictObject({ value: filledText(100), description: plainText(1000).optional() }),
            ]),
          )
          .max(10_000)
          .refine(
            (values) => hasEachOnce(values.map((each) => (typeof each === 'string' ? each : each.value))),
            eachOnce,
          )
          .optional()
          .meta({ description: 'The values that constraints may use; any value when empty' }),
        project: nameParam.nullable().optional().meta({
          description: 'The project that can use the field; null for all projects. Can be set only at creation',
        }),
      }),
    )
    .optional()
    .meta({ description: 'Objects by name' }),
  tagTypes: z
    .record(
      urlFriendly.min(2).max(50),
      z.strictObject({
        description: plainText(4000).optional().meta({ description: 'Free text' }),
        icon: plainText(255).nullable().optional().meta({ description: 'The icon in the user interface' }),
        color: z
          .string()
          .regex(/^#[0-9A-Fa-f]{6}$/, 'must be # and six hexadecimal digits, such as #00aa7f')
          .nullable()
          .optional()
          .meta({ description: 'A color such as #00aa7f' }),
      }),
    )
    .optional()
    .meta({ description: 'Objects by name' }),
  releaseTemplates: z.record(releaseNames.name, releaseTemplate).optional().meta({ description: 'Objects by name' }),
});

/**
 * State as code: the desired state of projects, flags and related objects. An omitted field keeps its current value. A
 * list is complete: what it omits is removed. An unknown key is refused.
 */
export const stateSchema = wholeState.superRefine(refuseSwitchesOfPeople);
export type State = z.input<typeof stateSchema>;
export type ParsedState = z.output<typeof stateSchema>;
