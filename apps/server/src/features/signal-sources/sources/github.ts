import { hmac } from '../signatures/index.ts';
import { inHeader } from './delivery-ids.ts';
import type { SignalSource } from './source.ts';

/** GitHub, webhooks of a repository or organization. */
export const github: SignalSource = {
  name: 'github',
  displayName: 'GitHub',
  documentationUrl: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
  authentication: ['signature'],
  signature: hmac({ header: 'x-hub-signature-256', prefix: 'sha256=' }),
  form: { field: 'payload' },
  deliveryIds: { signed: null, unsigned: inHeader('x-github-delivery') },
  fields: {
    state: [
      'deployment_status.state',
      'workflow_run.conclusion',
      'workflow_run.status',
      'check_run.conclusion',
      'alert.state',
    ],
    title: [
      'workflow_run.name',
      'check_run.name',
      'deployment.environment',
      'release.tag_name',
      'alert.rule.description',
      'repository.full_name',
    ],
    severity: ['alert.rule.security_severity_level', 'alert.rule.severity'],
    fingerprint: ['deployment.node_id', 'workflow_run.node_id', 'check_run.node_id', 'alert.html_url'],
    startedAt: ['deployment_status.created_at', 'workflow_run.run_started_at', 'deployment.created_at'],
    link: ['workflow_run.html_url', 'deployment_status.target_url', 'release.html_url', 'repository.html_url'],
    states: { inactive: 'resolved', fixed: 'resolved', dismissed: 'resolved' },
  },
  limits: { burst: 60, why: 'A push can start many workflows, and each sends a request when it starts and ends.' },
  setup: {
    where: 'Open Settings > Webhooks of the repository or organization and add a webhook.',
    values: [
      { label: 'Payload URL', value: '{url}' },
      { label: 'Content type', value: 'application/json' },
      { label: 'Secret', value: '{secret}' },
      { label: 'Events', value: 'Deployment statuses, Workflow runs' },
    ],
  },
};
