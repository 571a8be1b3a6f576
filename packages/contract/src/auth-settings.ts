import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { id, line } from './scalars.ts';

const access = { permission: ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'] } as const;

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
  // The Terraform provider sends 0 when there is no role.
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

export const oidcSettings = z.object({
  enabled: z.boolean(),
  discoverUrl: z.string().nullable(),
  clientId: z.string().nullable(),
  /** Null unless the setting `YARDARM_READABLE_SECRETS` is on. */
  secret: z.string().nullable(),
  /** Whether a secret is set. */
  secretSet: z.boolean(),
  autoCreate: z.boolean(),
  enableSingleSignOut: z.boolean(),
  /** Null for a custom role. */
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

/** SAML is not supported (ADR 23). */
const samlOff = z.object({ enabled: z.literal(false) });

/** The settings of login methods (docs/spec#single-sign-on). */
export const authSettingsRoutes = defineRoutes('Authentication', {
  'GET /api/admin/auth/oidc/settings': {
    access,
    summary: 'Get the OpenID Connect settings; the secret is included only with YARDARM_READABLE_SECRETS',
    answers: { 200: json(oidcSettings) },
    secrets: true,
  },
  'POST /api/admin/auth/oidc/settings': {
    access,
    summary: 'Update the OpenID Connect settings',
    description:
      'Omitted fields keep their values; null restores the default. An empty secret deletes the stored secret. Refused while the settings come from OIDC_… environment variables, and when no login method would be left. Changing discoverUrl, clientId, secret, emailDomains, trustMissingEmailVerified, enableGroupSyncing or groupJsonPath needs ADMIN, and so does a default role that grants more than the caller holds.',
    body: oidcBody,
    answers: { 200: json(oidcSettings) },
    secrets: true,
    emits: ['setting-created', 'setting-updated'],
  },
  'GET /api/admin/auth/saml/settings': {
    access,
    summary: 'Get the SAML settings: SAML is not supported and always off',
    answers: { 200: json(samlOff) },
  },
  'POST /api/admin/auth/saml/settings': {
    access,
    summary: 'Accept SAML settings that are off; SAML is not supported',
    description:
      'Exists for tools that write all settings. Enabling SAML is refused: use OpenID Connect. Other fields are ignored.',
    body: z.object({ enabled: z.boolean() }),
    answers: { 200: json(samlOff) },
    emits: [],
  },
  'GET /api/admin/auth/simple/settings': {
    access,
    summary: 'Get whether login with passwords is disabled',
    answers: { 200: json(passwordAuth) },
  },
  'POST /api/admin/auth/simple/settings': {
    access,
    summary: 'Enable or disable login with passwords',
    body: passwordAuth,
    answers: { 200: json(passwordAuth) },
    errors: [502, 504],
    emits: ['setting-created', 'setting-updated'],
  },
});
