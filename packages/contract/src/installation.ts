import { z } from 'zod';
import { apiTokenSchema, tokenProjects } from './api-tokens.ts';
import { instant, label } from './scalars.ts';
import { customStrategyBody } from './strategy-types.ts';
import { tagBody } from './tags.ts';
import { filledText, sortOrder, urlFriendly } from './text.ts';
import { email } from './users.ts';

const environment = z.strictObject({
  name: urlFriendly,
  type: filledText(100),
  enabled: z.boolean().meta({ description: 'Whether new projects get the environment' }),
  sortOrder,
});

const user = z
  .strictObject({
    username: label(255).optional(),
    email: email.optional(),
    name: label(255).optional(),
    rootRole: filledText(100).meta({ description: 'The name of a root role' }),
  })
  .refine(({ username, email: address }) => username !== undefined || address !== undefined, {
    path: ['username'],
    error: 'or email must be given',
  });

const apiToken = z.strictObject({
  tokenName: filledText(255),
  type: z.enum(['client', 'backend', 'frontend']),
  environment: urlFriendly,
  projects: tokenProjects,
  expiresAt: instant.nullable().default(null),
});

/**
 * The objects of an installation that are not part of a state. Missing objects are created; existing objects are never
 * changed or deleted.
 */
export const installationSchema = z.strictObject({
  environments: z.array(environment).max(1000).default([]),
  strategies: z.array(customStrategyBody).max(10_000).default([]).meta({ description: 'Custom strategies' }),
  tags: z.array(tagBody).max(100_000).default([]),
  users: z.array(user).max(100_000).default([]).meta({ description: 'Created without passwords' }),
  apiTokens: z
    .array(apiToken)
    .max(100_000)
    .default([])
    .meta({ description: 'Created with new secrets, until there are as many of the same name and scope as listed' }),
});
export type Installation = z.input<typeof installationSchema>;
export type ParsedInstallation = z.output<typeof installationSchema>;

/** An API token created while applying an installation. */
export const createdTokenSchema = apiTokenSchema
  .pick({ tokenName: true, type: true, environment: true, projects: true })
  .extend({ secret: z.string() });
