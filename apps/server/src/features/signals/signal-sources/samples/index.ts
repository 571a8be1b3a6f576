import type { SignalSourceName } from '@yardarm/contract';
import { alertmanagerSample } from './alertmanager.ts';
import { betterStackSample } from './better-stack.ts';
import { checklySample } from './checkly.ts';
import { datadogSample } from './datadog.ts';
import { grafanaSample } from './grafana.ts';
import { honeycombSample } from './honeycomb.ts';
import { newrelicSample } from './newrelic.ts';
import { pagerdutySample } from './pagerduty.ts';
import type { SignalSample } from './sample.ts';
import { sentrySample } from './sentry.ts';
import { uptimeKumaSample } from './uptime-kuma.ts';

export type { SignalSample } from './sample.ts';

/** A sample of each kind of sender that has one. */
export const signalSamples: Readonly<Partial<Record<SignalSourceName, SignalSample>>> = {
  alertmanager: alertmanagerSample,
  'better-stack': betterStackSample,
  checkly: checklySample,
  datadog: datadogSample,
  grafana: grafanaSample,
  honeycomb: honeycombSample,
  newrelic: newrelicSample,
  pagerduty: pagerdutySample,
  sentry: sentrySample,
  'uptime-kuma': uptimeKumaSample,
};
