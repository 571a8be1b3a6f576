import type { Config } from '../../config/settings.ts';
import { badField } from '../../kernel/errors.ts';
import { isPath } from './claim-path.ts';

/** How people log in through an OpenID Connect provider, as it is stored. */
export interface OidcSettings {
  readonly enabled: boolean;
  readonly discoverUrl: string | null;
  readonly clientId: string | null;
  /** Sealed. */
  readonly secret: string | null;
  readonly autoCreate: boolean;
  readonly enableSingleSignOut: boolean;
  /** Id of the root role of users who are created. */
  readonly defaultRootRoleId: number;
  /** Domains of e-mail addresses for which users are created, lower case, with commas between them; all when empty. */
  readonly emailDomains: string;
  readonly acrValues: string;
  readonly idTokenSigningAlgorithm: 'RS256' | 'RS384' | 'RS512';
  readonly enableGroupSyncing: boolean;
  readonly groupJsonPath: string;
  readonly addGroupsScope: boolean;
  readonly enablePkce: boolean;
  readonly trustMissingEmailVerified: boolean;
}

/** What holds until somebody says otherwise. Users are created as Editors, as Unleash creates them. */
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

/** The settings that variables make, when they do. `seal` hides the secret as that of the database is hidden. */
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
    emailDomains: config.oidcEmailDomains.join(',').toLowerCase(),
    acrValues: config.oidcAcrValues,
    idTokenSigningAlgorithm: config.oidcSigningAlgorithm,
    enableGroupSyncing: config.oidcEnableGroupSyncing,
    groupJsonPath: config.oidcGroupJsonPath,
    addGroupsScope: config.oidcAddGroupsScope,
    enablePkce: config.oidcEnablePkce,
    trustMissingEmailVerified: config.oidcTrustMissingEmailVerified,
  };
}

/** A 400 that names the field, when people could not log in with these settings. */
export function requireUsable(settings: OidcSettings, allowHttp: boolean): void {
  if (settings.discoverUrl !== null && !mayBeAsked(settings.discoverUrl, allowHttp))
    throw badField('discoverUrl', 'must be an https URL; http is for providers on this machine alone');
  for (const domain of domainsOf(settings))
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain))
      throw badField('emailDomains', `must be domains with commas between them, which ${domain} is not`);
  if (!settings.enabled) return;
  if (settings.discoverUrl === null) throw badField('discoverUrl', 'is needed to enable this');
  if (settings.clientId === null) throw badField('clientId', 'is needed to enable this');
  if (settings.secret === null) throw badField('secret', 'is needed to enable this');
  if (settings.enableGroupSyncing && !isPath(settings.groupJsonPath))
    throw badField('groupJsonPath', 'must say where the groups are, such as groups or realm_access.roles');
}

/** Domains of e-mail addresses for which users are created; none when it does not matter. */
export function domainsOf({ emailDomains }: OidcSettings): string[] {
  return emailDomains
    .split(',')
    .map((domain) => domain.trim().toLowerCase().replace(/^@/, ''))
    .filter((domain) => domain !== '');
}

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a URL of the provider may be asked: over HTTPS, on this machine over HTTP too, or anywhere with `allowHttp`. */
export function mayBeAsked(url: string, allowHttp: boolean): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {};
  if (protocol === 'https:') return true;
  return protocol === 'http:' && (allowHttp || loopback.test(hostname ?? ''));
}
