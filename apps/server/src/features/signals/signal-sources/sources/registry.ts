import type { SignalSourceName } from '@yardarm/contract';
import { alertmanager } from './alertmanager.ts';
import { argoCd } from './argo-cd.ts';
import { argoRollouts } from './argo-rollouts.ts';
import { betterStack } from './better-stack.ts';
import { checkly } from './checkly.ts';
import { cloudevents } from './cloudevents.ts';
import { datadog } from './datadog.ts';
import { flagger } from './flagger.ts';
import { generic } from './generic.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { grafana } from './grafana.ts';
import { honeycomb } from './honeycomb.ts';
import { kubernetesEvents } from './kubernetes-events.ts';
import { newrelic } from './newrelic.ts';
import { pagerduty } from './pagerduty.ts';
import { sentry } from './sentry.ts';
import { slack } from './slack.ts';
import { sns } from './sns.ts';
import type { SignalSource } from './source.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { uptimeKuma } from './uptime-kuma.ts';

/** Every kind of sender, by name. */
export const signalSources: Readonly<Record<SignalSourceName, SignalSource>> = {
  generic,
  alertmanager,
  grafana,
  datadog,
  pagerduty,
  sentry,
  newrelic,
  honeycomb,
  checkly,
  'better-stack': betterStack,
  'uptime-kuma': uptimeKuma,
  github,
  gitlab,
  'argo-cd': argoCd,
  'argo-rollouts': argoRollouts,
  flagger,
  'kubernetes-events': kubernetesEvents,
  sns,
  slack,
  'standard-webhooks': standardWebhooks,
  cloudevents,
};
