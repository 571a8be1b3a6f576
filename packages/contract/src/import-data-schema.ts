import { z } from 'zod';
import { constraintBody } from './constraints.ts';
import { flagInput } from './flag-fields.ts';
import { webAddress } from './flag-links.ts';
import { exceededBound, largeBodyBounds } from './json-bounds.ts';
import { strategyInput } from './strategy-fields.ts';
import { customStrategyBody } from './strategy-types.ts';
import { tagBody } from './tags.ts';
import {
  eachOnce,
  featureNameText,
  filledText,
  hasEachOnce,
  keyText,
  nameParam,
  plainText,
  sortOrder,
  urlFriendly,
} from './text.ts';
import { flagVariantBody } from './variant-fields.ts';

/** Removes null members: versions of Unleash write null or omit a member with the same meaning. */
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
const flagVariants = z.array(flagVariantBody).max(200);

const strategy = strategyInput.extend({
  id: z
    .json()
    .optional()
    .meta({ description: 'Determines the order of strategies when it is a ULID or a version 7 UUID' }),
  strategyName: filledText(100).optional(),
  disabled: z.boolean().optional(),
  variants: z.array(flagVariantBody.omit({ overrides: true })).optional(),
  segments: z.array(z.number().int()).optional(),
});
const isNamed = ({ name, strategyName }: { name?: string | undefined; strategyName?: string | undefined }) =>
  (name ?? strategyName) !== undefined;
const named = 'must have a name';

const dependency = z.object({
  feature: flagName,
  enabled: z.boolean().optional(),
  variants: z.array(filledText(255)).max(100).optional(),
});
const dependencies = z.array(dependency).max(1, 'must have at most one dependency');

/**
 * A flag. Files of Unleash's state API nest strategies, environments and dependencies in it; exports list them
 * separately.
 */
const feature = z.object({
  name: flagName,
  project: z.string().optional(),
  archived: z.boolean().optional(),
  ...flagInput.shape,
  variants: flagVariants.optional().meta({ description: 'Used for environments without variants' }),
  enabled: z.boolean().optional(),
  strategies: z.array(strategy.refine(isNamed, named)).optional(),
  dependencies: dependencies.optional(),
  environments: z
    .array(
      z.object({
        name: filledText(100),
        enabled: z.boolean().optional(),
        strategies: z.array(strategy.refine(isNamed, named)).optional(),
        variants: flagVariants.optional(),
      }),
    )
    .optional(),
});

const legalValue = z.object({ value: filledText(100), description: plainText(1000).optional() });

/**
 * An export of Unleash 4.22 or newer, a file of its older state API, or an export of Yardarm. Other members are
 * ignored.
 */
const importedData = z.object({
  features: z.array(feature),
  strategies: z
    .array(customStrategyBody.extend({ parameters: customStrategyBody.shape.parameters.default([]) }))
    .default([])
    .meta({ description: 'Custom strategies' }),
  featureStrategies: z
    .array(strategy.extend({ featureName: flagName, environment: filledText(100).optional() }).refine(isNamed, named))
    .default([]),
  featureEnvironments: z
    .array(
      z
        .object({
          name: z.string().optional(),
          featureName: flagName.optional(),
          environment: filledText(100).optional(),
          enabled: z.boolean().optional(),
          variants: flagVariants.optional(),
        })
        .refine(({ name, featureName }) => (featureName ?? name) !== undefined, 'must have a featureName'),
    )
    .default([]),
  featureStrategySegments: z
    .array(z.unknown())
    .max(0, 'is not supported: list the segment ids in `segments` of each featureStrategies entry')
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
          .refine((values) => hasEachOnce(values.map(({ value }) => value)), eachOnce)
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
        name: keyText(255),
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
          .regex(/^#[0-9A-Fa-f]{6}$/, 'must be # and six hexadecimal digits, such as #00aa7f')
          .optional(),
      }),
    )
    .default([]),
  dependencies: z.array(z.object({ feature: flagName, dependencies })).default([]),
  links: z
    .array(
      z.object({
        feature: flagName,
        links: z.array(z.object({ url: webAddress, title: plainText(255).optional() })),
      }),
    )
    .default([]),
});

/** Marks strategies that are nested in a flag as ordered: they are listed in evaluation order, unlike in an export. */
function inListedOrder<T>(strategies: readonly T[]) {
  return strategies.map((strategy) => ({ ...strategy, isInOrder: true }));
}

/**
 * Normalizes all formats to that of an export: nested members of flags become separate lists. When strategies of a flag
 * appear in several places, only the most specific list is used, so that they are not imported twice.
 */
function listed(data: z.output<typeof importedData>) {
  const { features, featureStrategies, featureEnvironments, dependencies, strategies, ...rest } = data;
  const flagsWithStrategies = new Set(featureStrategies.map(({ featureName }) => featureName));
  return {
    ...rest,
    customStrategies: strategies,
    features: features.map(({ enabled: _e, strategies: _s, environments: _v, dependencies: _d, ...flag }) => flag),
    featureStrategies: [
      ...featureStrategies.map((strategy) => ({ ...strategy, isInOrder: false })),
      ...features.flatMap(({ name: featureName, strategies: own = [], environments = [] }) => {
        if (flagsWithStrategies.has(featureName)) return [];
        const inEach = environments.some(
          (environment) => environment.strategies !== undefined && environment.strategies.length > 0,
        );
        return [
          ...(inEach
            ? []
            : inListedOrder(own).map((strategy) => ({ ...strategy, featureName, environment: undefined }))),
          ...environments.flatMap(({ name: environment, strategies: inIt = [] }) =>
            inListedOrder(inIt).map((strategy) => ({ ...strategy, featureName, environment })),
          ),
        ];
      }),
    ],
    // The separate list comes last, so it takes precedence over nested members.
    featureEnvironments: [
      ...features.flatMap(({ name: featureName, enabled, environments = [] }) => [
        ...(enabled === undefined
          ? []
          : [{ featureName, name: undefined, environment: undefined, enabled, variants: undefined }]),
        ...environments.map(({ name: environment, enabled: on, variants }) => ({
          featureName,
          name: undefined,
          environment,
          enabled: on,
          variants,
        })),
      ]),
      ...featureEnvironments,
    ],
    dependencies: [
      ...dependencies,
      ...features.flatMap(({ name, dependencies: own = [] }) =>
        own.length === 0 ? [] : [{ feature: name, dependencies: own }],
      ),
    ],
  };
}
export type ImportedData = ReturnType<typeof listed>;

function parseText(text: string, context: z.RefinementCtx): unknown {
  const exceeded = exceededBound(text, largeBodyBounds);
  if (exceeded !== undefined) {
    context.addIssue({ code: 'custom', message: exceeded });
    return z.NEVER;
  }
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
  .transform(listed)
  .meta({ description: 'The export, as JSON or as text' });
