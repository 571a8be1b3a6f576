import { badField } from '#kernel/errors.ts';
import { datadog } from './datadog.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { grafana } from './grafana.ts';
import { nats } from './nats.ts';
import { otlp } from './otlp.ts';
import { pagerDuty } from './pagerduty.ts';
import { pagerDutyAlerts } from './pagerduty-alerts.ts';
import { redis } from './redis.ts';
import type { Sink } from './sink.ts';
import { slack } from './slack.ts';
import { slackApp } from './slack-app.ts';
import { syslog } from './syslog.ts';
import { teams } from './teams.ts';
import { webhook } from './webhook.ts';

/** All kinds of receivers, in the order of the interface. */
export const sinks: readonly Sink[] = [
  webhook,
  email,
  slack,
  slackApp,
  teams,
  discord,
  pagerDuty,
  pagerDutyAlerts,
  datadog,
  grafana,
  otlp,
  syslog,
  nats,
  redis,
];

/** Returns whether messages to a provider about one subject belong together, so that their order matters. */
export function hasThreads(provider: string): boolean {
  return sinks.some(({ name, threads }) => name === provider && threads !== undefined);
}

/** Returns the kind of receiver of a provider. Throws a 400 when there is none. */
export function requireSink(provider: string): Sink {
  const sink = sinks.find(({ name }) => name === provider);
  if (sink === undefined) throw badField('provider', `must be ${sinks.map(({ name }) => name).join(' or ')}`);
  return sink;
}
