/** The reason why Yardarm does not serve a route of Unleash. */
export interface Reason {
  readonly paths: RegExp;
  readonly why: string;
}

/** The first entry whose paths match applies. */
export const reasons: readonly Reason[] = [
  {
    paths: /impact-metrics\/plausible|custom-metrics|metrics\/custom/,
    why: 'Numbers that only the interface of Unleash reads, or that impact metrics replace.',
  },
  {
    paths: /\/license|licensed-users|\/cdn\/|metrics\/(traffic|connection|request|rps|edge)|edge-licensing/,
    why: 'Licences and metering. There is one edition, and it is free.',
  },
  { paths: /scim/, why: 'Provisioning by SCIM. Groups are mapped from OpenID Connect instead.' },
  {
    paths: /\/email\/|email-subscription/,
    why: 'Previews of the e-mails of Unleash and subscriptions to them. Yardarm sends other e-mails.',
  },
  {
    paths: /\/notifications/,
    why: 'Notifications in the interface of Unleash. Integrations and e-mail notify people instead.',
  },
  {
    paths: /\/(seen-apps|seen-toggles|feature-toggles|insights)/,
    why: 'Deprecated or removed in Unleash too, or a report that only its own interface reads.',
  },
  {
    paths: /heap-snapshot/,
    why: 'A heap snapshot contains secrets. Use an inspector on the machine.',
  },
  {
    paths: /^\/edge\/issue-token/,
    why: 'The signature is not documented. An administrator creates the tokens of a proxy, which /edge/validate checks.',
  },
  {
    paths: /^\/api\/frontend\/(client\/features|health|internal-backstage)/,
    why: 'Answered 405, as Unleash does.',
  },
];
