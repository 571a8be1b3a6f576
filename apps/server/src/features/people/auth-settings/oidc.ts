import { z } from 'zod';
import type { Config } from '#config/settings.ts';
import { defineSetting } from '#features/platform/settings/index.ts';
import { badField } from '#kernel/errors.ts';
import { foldCase } from '#kernel/fold-case.ts';
import { isPath } from './claim-path.ts';

/** The settings of single sign-on through an OpenID Connect provider, as they are stored. */
export interface OidcSettings {
  readonly enabled: boolean;
  readonly discoverUrl: string | null;
  readonly clientId: string | null;
  /** The client secret, encrypted. */
  readonly secret: string | null;
  readonly autoCreate: boolean;
  readonly enableSingleSignOut: boolean;
  /** The id of the root role for new users. */
  readonly defaultRootRoleId: number;
  /** Allowed e-mail domains for new users, in lower case, comma-separated. Empty allows all. */
  readonly emailDomains: string;
  readonly acrValues: string;
  readonly idTokenSigningAlgorithm: 'RS256' | 'RS384' | 'RS512';
  readonly enableGroupSyncing: boolean;
  readonly groupJsonPath: string;
  readonly addGroupsScope: boolean;
  readonly enablePkce: boolean;
  readonly trustMissingEmailVerified: boolean;
}

export const oidcSetting = defineSetting<OidcSettings>(
  'auth.oidc',
  z.object({
    enabled: z.boolean(),
    discoverUrl: z.string().nullable(),
    clientId: z.string().nullable(),
    secret: z.string().nullable(),
    autoCreate: z.boolean(),
    enableSingleSignOut: z.boolean(),
    defaultRootRoleId: z.number(),
    emailDomains: z.string(),
    acrValues: z.string(),
    idTokenSigningAlgorithm: z.enum(['RS256', 'RS384', 'RS512']),
    enableGroupSyncing: z.boolean(),
    groupJsonPath: z.string(),
    addGroupsScope: z.boolean(),
    enablePkce: z.boolean(),
    trustMissingEmailVerified: z.boolean(),
  }),
);

/** The default settings. New users become Editors, as in Unleash. */
export const noOidc: OidcSettings = {
  enabled: false,
  discoverUrl: null,
  clientId: null,
  secret: null,
  autoCreate: false,
  enableSingleSignOut: false,
  defaultRootRoleId: 2,
  emailDomains: '',
  acrValues: '',
  idTokenSigningAlgorithm: 'RS256',
  enableGroupSyncing: false,
  groupJsonPath: '',
  addGroupsScope: false,
  enablePkce: true,
  trustMissingEmailVerified: false,
};

/**
 * Returns the settings of the environment variables; undefined when OIDC_ENABLED is not set. `seal` encrypts the
 * secret.
 */
export function oidcOfEnvironment(
  config: Config,
  defaultRootRoleId: number,
  seal: (secret: string) => string,
): OidcSettings | undefined {
  if (config.oidcEnabled === undefined) return undefined;
  return {
    enabled: config.oidcEnabled,
    discoverUrl: config.oidcDiscoverUrl || null,
    clientId: config.oidcClientId || null,
    secret: config.oidcClientSecret === undefined ? null : seal(config.oidcClientSecret),
    autoCreate: config.oidcAutoCreate,
    enableSingleSignOut: config.oidcEnableSingleSignOut,
    defaultRootRoleId,
    emailDomains: foldCase(config.oidcEmailDomains.join(',')),
    acrValues: config.oidcAcrValues,
    idTokenSigningAlgorithm: config.oidcSigningAlgorithm,
    enableGroupSyncing: config.oidcEnableGroupSyncing,
    groupJsonPath: config.oidcGroupJsonPath,
    addGroupsScope: config.oidcAddGroupsScope,
    enablePkce: config.oidcEnablePkce,
    trustMissingEmailVerified: config.oidcTrustMissingEmailVerified,
  };
}

/** Throws a 400 when the settings are not valid or not complete. */
export function requireUsable(settings: OidcSettings, allowHttp: boolean): void {
  if (settings.discoverUrl !== null && !isAllowedProviderUrl(settings.discoverUrl, allowHttp))
    throw badField('discoverUrl', 'must be an https URL. http is allowed only for providers on this machine');
  for (const domain of domainsOf(settings))
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain))
      throw badField('emailDomains', `must be comma-separated domains: ${domain} is not a domain`);
  if (!settings.enabled) return;
  if (settings.discoverUrl === null) throw badField('discoverUrl', 'is required to enable single sign-on');
  if (settings.clientId === null) throw badField('clientId', 'is required to enable single sign-on');
  if (settings.secret === null) throw badField('secret', 'is required to enable single sign-on');
  if (settings.enableGroupSyncing && !isPath(settings.groupJsonPath))
    throw badField('groupJsonPath', 'must be the path of the groups claim, such as groups or realm_access.roles');
}

/** Returns the allowed e-mail domains; an empty list allows all. */
export function domainsOf({ emailDomains }: OidcSettings): string[] {
  return emailDomains
    .split(',')
    .map((domain) => foldCase(domain.trim()).replace(/^@/, ''))
    .filter((domain) => domain !== '');
}

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Returns whether a provider URL may be called: over HTTPS, over HTTP on this machine, or over HTTP anywhere with
 * `allowHttp`.
 */
export function isAllowedProviderUrl(url: string, allowHttp: boolean): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {};
  if (protocol === 'https:') return true;
  return protocol === 'http:' && (allowHttp || loopback.test(hostname ?? ''));
}
