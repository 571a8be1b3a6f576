import { inHeaderWithPayload } from './delivery-ids.ts';
import type { SignalSource } from './source.ts';

/** GitLab, webhooks of a project or group. */
export const gitlab: SignalSource = {
  name: 'gitlab',
  displayName: 'GitLab',
  documentationUrl: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
  authentication: ['header'],
  header: 'x-gitlab-token',
  // Events that one change causes share a UUID: a pipeline and its jobs, or a webhook that changes GitLab again.
  deliveryIds: { signed: null, unsigned: inHeaderWithPayload('x-gitlab-event-uuid') },
  fields: {
    state: ['status', 'object_attributes.status', 'build_status'],
    title: ['environment', 'object_attributes.name', 'object_attributes.title', 'build_name', 'object_kind'],
    identity: {
      // The ids of each kind are counted apart.
      kinds: [
        { kind: 'deployment', name: ['deployment_id'], hasState: true, start: 'report' },
        { kind: 'build', name: ['build_id'], hasState: true, start: 'occurrence' },
        {
          // A pipeline that is retried keeps its id and its start.
          kind: 'pipeline',
          when: { object_kind: ['pipeline'] },
          name: ['object_attributes.id'],
          hasState: true,
          start: 'birth',
          changedAt: 'object_attributes.finished_at',
        },
        { kind: { at: 'object_kind' }, name: ['object_attributes.id'], hasState: false, start: 'none' },
      ],
      otherwise: 'no state',
      former: ['deployment_id', 'object_attributes.id', 'build_id'],
    },
    startedAt: ['status_changed_at', 'object_attributes.created_at', 'build_started_at'],
    link: ['deployable_url', 'object_attributes.url', 'project.web_url'],
    states: {
      created: 'pending',
      preparing: 'pending',
      scheduled: 'pending',
      waiting_for_resource: 'pending',
    },
  },
  limits: { burst: 60, why: 'The jobs of a pipeline send a request for each change of their state.' },
  setup: {
    where: 'Open Settings > Webhooks of the project or group and add a webhook.',
    values: [
      { label: 'URL', value: '{url}' },
      { label: 'Secret token', value: '{secret}' },
      { label: 'Trigger', value: 'Deployment events, Pipeline events' },
    ],
  },
};
