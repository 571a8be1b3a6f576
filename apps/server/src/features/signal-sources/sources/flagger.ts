import type { SignalSource } from './source.ts';

/** Flagger, webhooks of the type event, and those of a canary's steps. */
export const flagger: SignalSource = {
  name: 'flagger',
  displayName: 'Flagger',
  documentationUrl: 'https://docs.flagger.app/usage/webhooks',
  // It sends no headers of its own.
  authentication: ['path'],
  fields: {
    state: 'phase',
    title: ['metadata.eventMessage', 'name'],
    severity: 'metadata.eventType',
    fingerprint: 'name',
    startedAt: 'metadata.timestamp',
    states: { initialized: 'pending', progressing: 'pending', promoting: 'pending', finalising: 'pending' },
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
