import { z } from 'zod';

// The fields of Unleash's admin API that `import-from-unleash` reads. Other fields are ignored; null counts as absent.

const text = z.string().nullish();

export const constraintAnswer = z.object({
  contextName: z.string(),
  operator: z.string(),
  values: z.array(z.string()).nullish(),
  value: text,
  inverted: z.boolean().nullish(),
  caseInsensitive: z.boolean().nullish(),
});

export const variantAnswer = z.object({
  name: z.string(),
  weight: z.number(),
  weightType: text,
  stickiness: text,
  payload: z.object({ type: z.string(), value: z.string() }).nullish(),
  overrides: z.array(z.object({ contextName: z.string(), values: z.array(z.string()) })).nullish(),
});

const strategyAnswer = z.object({
  id: text,
  name: z.string(),
  title: text,
  disabled: z.boolean().nullish(),
  sortOrder: z.number().nullish(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  constraints: z.array(constraintAnswer).nullish(),
  variants: z.array(variantAnswer).nullish(),
  segments: z.array(z.number()).nullish(),
});

export const flagAnswer = z.object({
  name: z.string(),
  type: text,
  description: text,
  impressionData: z.boolean().nullish(),
  stale: z.boolean().nullish(),
  environments: z.array(
    z.object({ name: z.string(), enabled: z.boolean(), strategies: z.array(strategyAnswer).nullish() }),
  ),
  dependencies: z
    .array(z.object({ feature: z.string(), enabled: z.boolean().nullish(), variants: z.array(z.string()).nullish() }))
    .nullish(),
  links: z.array(z.object({ url: z.string(), title: text })).nullish(),
});

export const foundFlags = z.object({
  total: z.number(),
  features: z.array(
    z.object({
      name: z.string(),
      tags: z.array(z.object({ type: z.string(), value: z.string() })).nullish(),
      archivedAt: text,
      lifecycle: z.object({ stage: text }).nullish(),
      environments: z.array(z.object({ name: z.string(), variantCount: z.number().nullish() })),
    }),
  ),
});

export const projectsAnswer = z.object({ projects: z.array(z.object({ id: z.string() })) });

export const projectAnswer = z.object({
  name: z.string(),
  description: text,
  mode: text,
  featureLimit: z.number().nullish(),
  defaultStickiness: text,
  featureNaming: z.object({ pattern: text, example: text, description: text }).nullish(),
  linkTemplates: z.array(z.object({ title: text, urlTemplate: z.string() })).nullish(),
  environments: z.array(z.object({ environment: z.string(), defaultStrategy: z.unknown().optional() })),
});

export const environmentsAnswer = z.object({
  environments: z.array(
    z.object({ name: z.string(), type: z.string(), enabled: z.boolean(), sortOrder: z.number().int() }),
  ),
});

export const contextFieldsAnswer = z.array(
  z.object({
    name: z.string(),
    description: text,
    stickiness: z.boolean().nullish(),
    sortOrder: z.number().int().nullish(),
    legalValues: z.array(z.object({ value: z.string(), description: text })).nullish(),
    project: text,
  }),
);

export const segmentsAnswer = z.object({
  segments: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      description: text,
      project: text,
      constraints: z.array(constraintAnswer),
    }),
  ),
});

export const strategiesAnswer = z.object({
  strategies: z.array(
    z.object({
      name: z.string(),
      title: text,
      description: text,
      editable: z.boolean(),
      deprecated: z.boolean().nullish(),
      parameters: z.array(
        z.object({ name: z.string(), type: z.string(), description: text, required: z.boolean().nullish() }),
      ),
    }),
  ),
});

export const tagTypesAnswer = z.object({
  tagTypes: z.array(z.object({ name: z.string(), description: text, icon: text, color: text })),
});

export const tagsAnswer = z.object({ tags: z.array(z.object({ type: z.string(), value: z.string() })) });

export const usersAnswer = z.object({
  users: z.array(z.object({ username: text, email: text, name: text, rootRole: z.number(), accountType: text })),
  rootRoles: z.array(z.object({ id: z.number(), name: z.string() })),
});

/** The answer with the API tokens. Some versions of Unleash return the secrets; they are ignored. */
export const tokensAnswer = z.object({
  tokens: z.array(
    z.object({
      tokenName: z.string(),
      type: z.string(),
      environment: text,
      projects: z.array(z.string()).nullish(),
      project: text,
      expiresAt: text,
    }),
  ),
});

export const flagTypesAnswer = z.object({
  types: z.array(z.object({ id: z.string(), lifetimeDays: z.number().nullish() })),
});

export const settingsAnswer = z.object({ frontendApiOrigins: z.array(z.string()).nullish() });

export const integrationsAnswer = z.object({ addons: z.array(z.object({ provider: z.string() })) });

export type ConstraintAnswer = z.output<typeof constraintAnswer>;
export type VariantAnswer = z.output<typeof variantAnswer>;
export type FlagAnswer = z.output<typeof flagAnswer>;
export type TokenAnswer = z.output<typeof tokensAnswer>['tokens'][number];
