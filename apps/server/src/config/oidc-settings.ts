import { boolean, integer, list, oneOf, optionalBoolean, optionalText, text } from './setting-types.ts';

/** The settings of single sign-on through OpenID Connect. Names are those of Unleash where Unleash has the setting. */
export const oidcSettings = {
  oidcEnabled: optionalBoolean({
    names: ['OIDC_ENABLED'],
    meaning:
      'true: single sign-on through the OpenID Connect provider of the variables OIDC_…; false: off. While it is set, the settings cannot be changed in the admin UI.',
  }),
  oidcDiscoverUrl: text({
    names: ['OIDC_DISCOVER_URL', 'OIDC_DISCOVERY_URL'],
    default: '',
    meaning: 'Discovery URL of the provider, such as https://id.example.com/.well-known/openid-configuration.',
  }),
  oidcClientId: text({ names: ['OIDC_CLIENT_ID'], default: '', meaning: 'Client id of Yardarm at the provider.' }),
  oidcClientSecret: optionalText({
    names: ['OIDC_CLIENT_SECRET'],
    secret: true,
    meaning: 'Client secret of Yardarm at the provider.',
  }),
  oidcAutoCreate: boolean({
    names: ['OIDC_AUTO_CREATE'],
    default: false,
    meaning: 'Create a user at the first login.',
  }),
  oidcDefaultRootRole: text({
    names: ['OIDC_DEFAULT_ROOT_ROLE'],
    default: 'Editor',
    meaning: 'Name of the root role of users that are created at the first login.',
  }),
  oidcEmailDomains: list({
    names: ['OIDC_EMAIL_DOMAINS'],
    meaning: 'Allowed e-mail domains for new users. Empty allows all.',
  }),
  oidcAcrValues: text({
    names: ['OIDC_ACR_VALUES'],
    default: '',
    meaning: 'Requested authentication methods (acr_values), separated by spaces.',
  }),
  oidcSigningAlgorithm: oneOf({
    names: ['OIDC_ID_TOKEN_SIGNING_ALGORITHM'],
    default: 'RS256',
    values: ['RS256', 'RS384', 'RS512'],
    meaning: 'Signature algorithm of ID tokens. Tokens with another algorithm are refused.',
  }),
  oidcEnableSingleSignOut: boolean({
    names: ['OIDC_ENABLE_SINGLE_SIGN_OUT'],
    default: false,
    meaning: 'Log users out at the provider, too, when they log out.',
  }),
  oidcEnableGroupSyncing: boolean({
    names: ['OIDC_ENABLE_GROUP_SYNCING'],
    default: false,
    meaning: 'At each login, sync the groups of the user with the mapped groups of the provider.',
  }),
  oidcGroupJsonPath: text({
    names: ['OIDC_GROUP_JSON_PATH'],
    default: 'groups',
    meaning: 'Path of the groups claim, such as groups or realm_access.roles.',
  }),
  oidcAddGroupsScope: boolean({
    names: ['OIDC_ADD_GROUPS_SCOPE'],
    default: false,
    meaning: 'Request the scope groups from the provider.',
  }),
  oidcEnablePkce: boolean({ names: ['OIDC_ENABLE_PKCE'], default: true, meaning: 'Use PKCE (RFC 7636).' }),
  oidcTrustMissingEmailVerified: boolean({
    names: ['OIDC_TRUST_MISSING_EMAIL_VERIFIED'],
    default: false,
    meaning:
      'Trust e-mail addresses without a verification claim. Enable this only if only administrators of the provider can set addresses.',
  }),
  oidcTimeoutSeconds: integer({
    names: ['YARDARM_OIDC_TIMEOUT_SECONDS'],
    default: 10,
    min: 1,
    max: 60,
    meaning: 'Timeout of each call of the provider in seconds.',
  }),
  oidcAllowHttp: boolean({
    names: ['YARDARM_OIDC_ALLOW_HTTP'],
    default: false,
    meaning: 'Allow HTTP to a provider on another machine. For tests only: the traffic is not encrypted.',
  }),
};
