import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** Uptime Kuma, notification of the type Webhook with the request body JSON. */
export const uptimeKuma: SignalSource = {
  name: 'uptime-kuma',
  displayName: 'Uptime Kuma',
  documentationUrl: 'https://github.com/louislam/uptime-kuma/blob/master/server/notification-providers/webhook.js',
  authentication: ['bearer', 'header', 'path'],
  header: 'x-yardarm-token',
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: 'heartbeat.status',
    title: ['monitor.name', 'msg'],
    identity: {
      kinds: [{ kind: null, name: [['monitor.id', 'heartbeat.monitorID']], hasState: true, start: 'none' }],
      otherwise: 'state',
    },
    // The numbers of its heartbeats: down, up, pending and maintenance.
    states: { 0: 'firing', 1: 'resolved', 2: 'pending', 3: 'pending' },
  },
  limits: {
    ...alertLimits,
    why: 'An outage takes many monitors down at once, each with its own request, and a refused one is not sent again.',
  },
  setup: {
    where: 'Open Settings > Notifications and set up a notification of the type Webhook.',
    values: [
      { label: 'Post URL', value: '{url}' },
      { label: 'Request body', value: 'Preset - application/json' },
      { label: 'Additional headers', value: '{"Authorization": "Bearer {secret}"}' },
    ],
  },
};
