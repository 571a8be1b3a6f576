import { list, oneOf, type Settings, text, trueOrFalse, wholeNumber } from './setting-types.ts';

/** The settings of single sign-on through OpenID Connect. Names are those of Unleash where Unleash has the setting. */
export const oidcSettings = {
  oidcEnabled: {
    names: ['OIDC_ENABLED'],
    value: trueOrFalse.optional(),
    meaning:
      'true: single sign-on through the OpenID Connect provider of the variables OIDC_…; false: off. While it is set, the settings cannot be changed in the admin UI.',
  },
  oidcDiscoverUrl: {
    names: ['OIDC_DISCOVER_URL', 'OIDC_DISCOVERY_URL'],
    value: text.default(''),
    meaning: 'Discovery URL of the provider, such as https://id.example.com/.well-known/openid-configuration.',
  },
  oidcClientId: {
    names: ['OIDC_CLIENT_ID'],
    value: text.default(''),
    meaning: 'Client id of Yardarm at the provider.',
  },
  oidcClientSecret: {
    names: ['OIDC_CLIENT_SECRET'],
    value: text.optional(),
    secret: true,
    meaning: 'Client secret of Yardarm at the provider.',
  },
  oidcAutoCreate: {
    names: ['OIDC_AUTO_CREATE'],
    value: trueOrFalse.default(false),
    meaning: 'Create a user at the first login.',
  },
  oidcDefaultRootRole: {
    names: ['OIDC_DEFAULT_ROOT_ROLE'],
    value: text.default('Editor'),
    meaning: 'Name of the root role of users that are created at the first login.',
  },
  oidcEmailDomains: {
    names: ['OIDC_EMAIL_DOMAINS'],
    value: list.default([]),
    meaning: 'Allowed e-mail domains for new users. Empty allows all.',
  },
  oidcAcrValues: {
    names: ['OIDC_ACR_VALUES'],
    value: text.default(''),
    meaning: 'Requested authentication methods (acr_values), separated by spaces.',
  },
  oidcSigningAlgorithm: {
    names: ['OIDC_ID_TOKEN_SIGNING_ALGORITHM'],
    value: oneOf(['RS256', 'RS384', 'RS512']).default('RS256'),
    meaning: 'Signature algorithm of ID tokens. Tokens with another algorithm are refused.',
  },
  oidcEnableSingleSignOut: {
    names: ['OIDC_ENABLE_SINGLE_SIGN_OUT'],
    value: trueOrFalse.default(false),
    meaning: 'Log users out at the provider, too, when they log out.',
  },
  oidcEnableGroupSyncing: {
    names: ['OIDC_ENABLE_GROUP_SYNCING'],
    value: trueOrFalse.default(false),
    meaning: 'At each login, sync the groups of the user with the mapped groups of the provider.',
  },
  oidcGroupJsonPath: {
    names: ['OIDC_GROUP_JSON_PATH'],
    value: text.default('groups'),
    meaning: 'Path of the groups claim, such as groups or realm_access.roles.',
  },
  oidcAddGroupsScope: {
    names: ['OIDC_ADD_GROUPS_SCOPE'],
    value: trueOrFalse.default(false),
    meaning: 'Request the scope groups from the provider.',
  },
  oidcEnablePkce: { names: ['OIDC_ENABLE_PKCE'], value: trueOrFalse.default(true), meaning: 'Use PKCE (RFC 7636).' },
  oidcTrustMissingEmailVerified: {
    names: ['OIDC_TRUST_MISSING_EMAIL_VERIFIED'],
    value: trueOrFalse.default(false),
    meaning:
      'Trust e-mail addresses without a verification claim. Enable this only if only administrators of the provider can set addresses.',
  },
  oidcTimeoutSeconds: {
    names: ['YARDARM_OIDC_TIMEOUT_SECONDS'],
    value: wholeNumber(1, 60).default(10),
    meaning: 'Timeout of each call of the provider in seconds.',
  },
  oidcAllowHttp: {
    names: ['YARDARM_OIDC_ALLOW_HTTP'],
    value: trueOrFalse.default(false),
    meaning: 'Allow HTTP to a provider on another machine. For tests only: the traffic is not encrypted.',
  },
} satisfies Settings;
