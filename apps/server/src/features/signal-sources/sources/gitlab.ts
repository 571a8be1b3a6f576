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
    state: ['status', 'object_attributes.status', 'build_status', 'object_attributes.state'],
    title: ['environment', 'object_attributes.name', 'object_attributes.title', 'build_name', 'object_kind'],
    fingerprint: ['deployment_id', 'object_attributes.id', 'build_id'],
    startedAt: ['status_changed_at', 'object_attributes.created_at', 'build_started_at'],
    link: ['deployable_url', 'object_attributes.url', 'project.web_url'],
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
