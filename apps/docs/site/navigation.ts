/** A part of the sidebar: a title, and pages by their path below `docs`. */
export interface Section {
  readonly title: string;
  readonly pages: readonly string[];
}

/** The files in the root of the repository that are pages too, by the path of their page. */
export const rootPages: ReadonlyMap<string, string> = new Map([
  ['changelog.md', 'CHANGELOG.md'],
  ['security.md', 'SECURITY.md'],
]);

/** The files of the repository that guides tell to use, and that the site serves too, for who has no clone. */
export const servedFiles: readonly string[] = ['examples/alerts/rules.yml', 'examples/grafana/dashboard.json'];

/**
 * The sidebar, in order. Each page of `docs`, and of {@link rootPages}, is listed here, except the decision records
 * below `adr`.
 */
export const sections: readonly Section[] = [
  { title: 'Start', pages: ['README.md', 'guides/install.md', 'guides/first-steps.md', 'glossary.md'] },
  {
    title: 'Flags',
    pages: [
      'guides/sdks.md',
      'guides/release-plans.md',
      'guides/change-requests.md',
      'guides/state-as-code.md',
      'guides/moving-from-unleash.md',
      'guides/back-to-unleash.md',
    ],
  },
  {
    title: 'Signals and actions',
    pages: ['guides/signals.md', 'guides/actions.md', 'guides/ways-to-stop.md', 'guides/on-call.md'],
  },
  {
    title: 'Senders of signals',
    pages: [
      'senders/alertmanager.md',
      'senders/argo-cd.md',
      'senders/argo-rollouts.md',
      'senders/better-stack.md',
      'senders/checkly.md',
      'senders/cloudevents.md',
      'senders/datadog.md',
      'senders/flagger.md',
      'senders/github.md',
      'senders/gitlab.md',
      'senders/grafana.md',
      'senders/honeycomb.md',
      'senders/kubernetes-events.md',
      'senders/newrelic.md',
      'senders/pagerduty.md',
      'senders/sentry.md',
      'senders/slack.md',
      'senders/sns.md',
      'senders/standard-webhooks.md',
      'senders/uptime-kuma.md',
    ],
  },
  { title: 'Events', pages: ['guides/auditing.md', 'guides/event-feed.md', 'guides/integrations.md'] },
  {
    title: 'Operation',
    pages: [
      'guides/operating.md',
      'guides/hardening.md',
      'guides/kubernetes.md',
      'guides/replicas.md',
      'guides/backup.md',
      'guides/versions.md',
      'changelog.md',
      'security.md',
      'guides/single-sign-on.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'reference/settings.md',
      'reference/command-line.md',
      'reference/routes.md',
      'reference/permissions.md',
      'reference/actions.md',
      'reference/state.md',
      'reference/events.md',
      'reference/metrics.md',
      'compatibility.md',
    ],
  },
  {
    title: 'Specification',
    pages: [
      'spec/README.md',
      'spec/signals-and-events.md',
      'spec/sdk-api.md',
      'spec/admin-api.md',
      'spec/http-and-access.md',
    ],
  },
  { title: 'Design', pages: ['architecture.md', 'adr/README.md'] },
];

/**
 * Returns the page of the sidebar from which a page is reached that is not listed there: a decision record or a group
 * of routes.
 */
export function indexOf(path: string): string | undefined {
  if (path.startsWith('adr/') && path !== 'adr/README.md') return 'adr/README.md';
  return path.startsWith('reference/routes/') ? 'reference/routes.md' : undefined;
}
