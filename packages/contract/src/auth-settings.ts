import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { id, line } from './scalars.ts';

const access = { permission: ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'] } as const;
const tag = 'Authentication';

const passwordAuth = z.object({ disabled: z.boolean() });
const builtInRole = z.enum(['Viewer', 'Editor', 'Admin']);
const algorithm = z.enum(['RS256', 'RS384', 'RS512']);

const choice = z.boolean().nullable().optional();
const words = (max: number) => line.trim().max(max).nullable().optional();

const oidcBody = z.object({
  enabled: z.boolean(),
  discoverUrl: words(2000),
  clientId: words(1000),
  secret: words(4000),
  autoCreate: choice,
  enableSingleSignOut: choice,
  defaultRootRole: builtInRole.nullable().optional(),
  // 0 is what Terraform's provider sends for none.
  defaultRootRoleId: id
    .or(z.literal(0).transform(() => null))
    .nullable()
    .optional(),
  emailDomains: words(4000),
  acrValues: words(1000),
  idTokenSigningAlgorithm: algorithm.nullable().optional(),
  enableGroupSyncing: choice,
  groupJsonPath: words(500),
  addGroupsScope: choice,
  enablePkce: choice,
  trustMissingEmailVerified: choice,
});

const oidcSettings = z.object({
  enabled: z.boolean(),
  discoverUrl: z.string().nullable(),
  clientId: z.string().nullable(),
  /** Told only where the setting `YARDARM_READABLE_SECRETS` says so. */
  secret: z.string().nullable(),
  /** Whether there is one. */
  secretSet: z.boolean(),
  autoCreate: z.boolean(),
  enableSingleSignOut: z.boolean(),
  /** Null for a role that does not come with the product. */
  defaultRootRole: builtInRole.nullable(),
  defaultRootRoleId: id,
  emailDomains: z.string(),
  acrValues: z.string(),
  idTokenSigningAlgorithm: algorithm,
  enableGroupSyncing: z.boolean(),
  groupJsonPath: z.string(),
  addGroupsScope: z.boolean(),
  enablePkce: z.boolean(),
  trustMissingEmailVerified: z.boolean(),
});

/** There is no SAML (ADR 23). */
const samlOff = z.object({ enabled: z.literal(false) });

/** How people log in (docs/spec#single-sign-on). */
export const authSettingsRoutes = defineRoutes({
  'GET /api/admin/auth/oidc/settings': {
    tag,
    access,
    summary: 'How people log in through an OpenID Connect provider; the secret is not told, unless settings say so',
    answers: { 200: json(oidcSettings) },
    errors: [],
    secrets: true,
    emits: [],
  },
  'POST /api/admin/auth/oidc/settings': {
    tag,
    access,
    summary: 'Set how people log in through an OpenID Connect provider',
    description:
      'What is absent stays as it is, null puts it back to its default. An absent secret stays, an empty one is forgotten. Refused while the variables OIDC_… say how, and where it would leave nobody a way to log in. Changing discoverUrl, clientId, secret, emailDomains, trustMissingEmailVerified, enableGroupSyncing or groupJsonPath needs ADMIN, and so does a default role that grants more than the caller holds.',
    body: oidcBody,
    answers: { 200: json(oidcSettings) },
    errors: [],
    secrets: true,
    emits: ['setting-created', 'setting-updated'],
  },
  'GET /api/admin/auth/saml/settings': {
    tag,
    access,
    summary: 'That there is no login through SAML, for tools that ask',
    answers: { 200: json(samlOff) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/auth/saml/settings': {
    tag,
    access,
    summary: 'Leave login through SAML off, for tools that say so',
    description: 'Turning it on is refused: people log in through OpenID Connect. What else is sent is not kept.',
    body: z.object({ enabled: z.boolean() }),
    answers: { 200: json(samlOff) },
    errors: [],
    emits: [],
  },
  'GET /api/admin/auth/simple/settings': {
    tag,
    access,
    summary: 'Whether people log in with passwords',
    answers: { 200: json(passwordAuth) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/auth/simple/settings': {
    tag,
    access,
    summary: 'Turn login with passwords on or off; not off unless an administrator can log in through OpenID Connect',
    body: passwordAuth,
    answers: { 200: json(passwordAuth) },
    errors: [502, 504],
    emits: ['setting-created', 'setting-updated'],
  },
});
