import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** Better Stack Uptime, outgoing webhooks of incidents. */
export const betterStack: SignalSource = {
  name: 'better-stack',
  displayName: 'Better Stack',
  documentationUrl: 'https://betterstack.com/docs/uptime/webhooks/',
  // The path is first: without a custom template, Better Stack sends no header that proves the sender.
  authentication: ['path', 'basic', 'header', 'bearer'],
  header: 'x-yardarm-token',
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: 'data.attributes.status',
    title: ['data.attributes.name', 'data.attributes.cause'],
    identity: {
      kinds: [
        // An incident that has ended does not start again: the next one has an id of its own.
        { kind: null, when: { 'data.type': ['incident'] }, name: ['data.id'], hasState: true, start: 'occurrence' },
        { kind: { at: 'data.type' }, name: ['data.id'], hasState: false, start: 'none' },
      ],
      otherwise: 'no state',
      former: 'data.id',
    },
    startedAt: 'data.attributes.started_at',
    states: { started: 'firing', unconfirmed: 'pending', validating: 'pending' },
  },
  limits: { ...alertLimits, why: 'An outage fails many monitors at once, and each incident sends its own requests.' },
  setup: {
    where: 'Open Uptime > Integrations > Exporting data and configure an outgoing webhook of the type Incident.',
    values: [{ label: 'Webhook URL', value: '{url}' }],
  },
};
