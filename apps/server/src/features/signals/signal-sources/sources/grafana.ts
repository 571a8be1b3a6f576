import { alertmanager } from './alertmanager.ts';
import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** Grafana Alerting, contact point "Webhook". Its request extends that of Alertmanager. */
export const grafana: SignalSource = {
  name: 'grafana',
  displayName: 'Grafana Alerting',
  documentationUrl:
    'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
  authentication: ['bearer', 'basic'],
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    ...alertmanager.fields,
    // Grafana 8 and before, and tools that copy its request, send one alert rule in each request.
    state: ['status', 'state'],
    title: [...alertmanager.fields.title, 'ruleName', 'title'],
    identity: {
      ...alertmanager.fields.identity,
      kinds: [{ kind: 'rule', name: ['ruleId'], hasState: true, start: 'none' }, ...alertmanager.fields.identity.kinds],
    },
    link: ['externalURL', 'ruleUrl'],
  },
  limits: {
    ...alertLimits,
    maxAlerts: 'Max alerts',
    why: 'Grafana sends each group of alerts in its own request, and the groups of one incident within a second.',
  },
  repeat: { minutes: 240, setting: 'Repeat interval' },
  setup: {
    where: 'Open Alerting > Contact points and add a contact point of the type Webhook.',
    values: [
      { label: 'URL', value: '{url}' },
      { label: 'HTTP method', value: 'POST' },
      { label: 'Authorization header: scheme', value: 'Bearer' },
      { label: 'Authorization header: credentials', value: '{secret}' },
    ],
  },
};
