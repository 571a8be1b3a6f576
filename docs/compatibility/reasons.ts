/** Why Yardarm does not serve a route that Unleash has. */
export interface Reason {
  readonly paths: RegExp;
  readonly why: string;
}

/** Looked through in this order; the first whose paths match holds. */
export const reasons: readonly Reason[] = [
  {
    paths: /release-plan|milestone|\/progressions|\/safeguards/,
    why: 'Release plans. Actions react to signals instead, which is what plans and their safeguards are for.',
  },
  {
    paths: /impact-metrics|\/internal-backstage\/impact|custom-metrics|metrics\/custom/,
    why: 'Impact metrics. Systems that measure send signals.',
  },
  {
    paths: /\/license|licensed-users|\/cdn\/|metrics\/(traffic|connection|request|rps|edge)|edge-licensing/,
    why: 'Licences and metering. There is one edition, and it is free.',
  },
  { paths: /scim/, why: 'Provisioning by SCIM. Groups of OpenID Connect are mapped instead.' },
  {
    paths: /saml/,
    why: 'SAML (ADR 23). OpenID Connect does the same, and providers of SAML speak it too.',
  },
  {
    paths: /\/email\/|email-subscription|password-email|\/notifications/,
    why: 'Yardarm sends no e-mail.',
  },
  {
    paths: /\/(seen-apps|seen-toggles|feature-toggles|insights)/,
    why: 'Deprecated or gone in Unleash too, or a report that nothing but its own interface reads.',
  },
  {
    paths: /heap-snapshot/,
    why: 'A copy of the memory holds secrets. Use an inspector on the machine.',
  },
  {
    paths: /^\/edge\/issue-token/,
    why: 'What is signed and how is not documented. An administrator makes the tokens of a proxy, which /edge/validate checks.',
  },
  {
    paths: /^\/api\/frontend\/(client\/features|health|internal-backstage)/,
    why: 'Answered 405, as Unleash does.',
  },
];
