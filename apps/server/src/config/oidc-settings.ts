import { boolean, integer, list, oneOf, optionalBoolean, optionalText, text } from './setting-types.ts';

/** Login through an OpenID Connect provider. What Unleash is known to read is named as there. */
export const oidcSettings = {
  oidcEnabled: optionalBoolean({
    names: ['OIDC_ENABLED'],
    meaning:
      'true: people log in through the OpenID Connect provider that the variables OIDC_… describe; false: they do not. While it is set, nobody can change that in the settings.',
  }),
  oidcDiscoverUrl: text({
    names: ['OIDC_DISCOVER_URL', 'OIDC_DISCOVERY_URL'],
    default: '',
    meaning: 'Where the provider describes itself, such as https://id.example.com/.well-known/openid-configuration.',
  }),
  oidcClientId: text({ names: ['OIDC_CLIENT_ID'], default: '', meaning: 'What the provider knows Yardarm as.' }),
  oidcClientSecret: optionalText({
    names: ['OIDC_CLIENT_SECRET'],
    secret: true,
    meaning: 'By which the provider knows that it is Yardarm.',
  }),
  oidcAutoCreate: boolean({
    names: ['OIDC_AUTO_CREATE'],
    default: false,
    meaning: 'Create a user for whoever logs in for the first time.',
  }),
  oidcDefaultRootRole: text({
    names: ['OIDC_DEFAULT_ROOT_ROLE'],
    default: 'Editor',
    meaning: 'Root role, by its name, of users who are created so.',
  }),
  oidcEmailDomains: list({
    names: ['OIDC_EMAIL_DOMAINS'],
    meaning: 'Domains of e-mail addresses for which users are created; all when empty.',
  }),
  oidcAcrValues: text({
    names: ['OIDC_ACR_VALUES'],
    default: '',
    meaning: 'Kinds of authentication to ask the provider for, separated by blanks.',
  }),
  oidcSigningAlgorithm: oneOf({
    names: ['OIDC_ID_TOKEN_SIGNING_ALGORITHM'],
    default: 'RS256',
    values: ['RS256', 'RS384', 'RS512'],
    meaning: 'How the provider signs; what is signed otherwise is refused.',
  }),
  oidcEnableSingleSignOut: boolean({
    names: ['OIDC_ENABLE_SINGLE_SIGN_OUT'],
    default: false,
    meaning: 'Whoever logs out here is led to the provider to log out there.',
  }),
  oidcEnableGroupSyncing: boolean({
    names: ['OIDC_ENABLE_GROUP_SYNCING'],
    default: false,
    meaning: 'At each login users come into and leave the groups that are mapped to groups of the provider.',
  }),
  oidcGroupJsonPath: text({
    names: ['OIDC_GROUP_JSON_PATH'],
    default: 'groups',
    meaning: 'Where the provider says which groups somebody is in, such as groups or realm_access.roles.',
  }),
  oidcAddGroupsScope: boolean({
    names: ['OIDC_ADD_GROUPS_SCOPE'],
    default: false,
    meaning: 'Ask the provider for the scope groups.',
  }),
  oidcEnablePkce: boolean({ names: ['OIDC_ENABLE_PKCE'], default: true, meaning: 'Use PKCE (RFC 7636).' }),
  oidcTrustMissingEmailVerified: boolean({
    names: ['OIDC_TRUST_MISSING_EMAIL_VERIFIED'],
    default: false,
    meaning:
      'Believe e-mail addresses of a provider that never says whether they are verified. Only where nobody but its administrators can set them.',
  }),
  oidcTimeoutSeconds: integer({
    names: ['YARDARM_OIDC_TIMEOUT_SECONDS'],
    default: 10,
    min: 1,
    max: 60,
    meaning: 'Seconds that the provider has for each answer.',
  }),
  oidcAllowHttp: boolean({
    names: ['YARDARM_OIDC_ALLOW_HTTP'],
    default: false,
    meaning:
      'Talk to a provider that is not on this machine over HTTP too: for trials, as anybody between reads along.',
  }),
};
