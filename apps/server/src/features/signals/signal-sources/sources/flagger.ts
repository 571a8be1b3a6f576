import { textAt } from '#kernel/payload-path.ts';
import type { SignalSource } from './source.ts';

/** Flagger, webhooks of the type event, and those of a canary's steps. */
export const flagger: SignalSource = {
  name: 'flagger',
  displayName: 'Flagger',
  documentationUrl: 'https://docs.flagger.app/usage/webhooks',
  // Flagger sends no header that could hold a secret.
  authentication: ['path'],
  deliveryIds: { signed: null, unsigned: null },
  subject: (payload) => ({ event: payload, canary: canaryOf(payload) }),
  fields: {
    state: 'event.phase',
    title: ['event.metadata.eventMessage', 'event.name'],
    severity: 'event.metadata.eventType',
    identity: {
      kinds: [{ kind: null, name: ['canary'], hasState: true, start: 'report' }],
      otherwise: 'state',
    },
    startedAt: 'event.metadata.timestamp',
    states: {
      initializing: 'pending',
      initialized: 'pending',
      progressing: 'pending',
      waitingpromotion: 'pending',
      promoting: 'pending',
      finalising: 'pending',
      terminating: 'pending',
    },
  },
  limits: { burst: 60, why: 'Flagger sends each step of a canary in its own request.' },
  setup: {
    where: 'Add a webhook of the type event to the analysis of the canary.',
    values: [],
    code: `analysis:
  webhooks:
    - name: yardarm
      type: event
      url: {url}`,
  },
};

/** Returns the canary with its namespace: names are unique in a namespace only. */
function canaryOf(payload: unknown): string | undefined {
  const [name, namespace] = [textAt(payload, 'name'), textAt(payload, 'namespace')];
  return name === undefined || namespace === undefined ? name : `${namespace}/${name}`;
}
