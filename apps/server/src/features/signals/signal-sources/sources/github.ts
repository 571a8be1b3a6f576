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
      'check_run.status',
      'check_suite.conclusion',
      'check_suite.status',
      'workflow_job.conclusion',
      'workflow_job.status',
      'alert.state',
      'state',
    ],
    title: [
      'workflow_run.name',
      'check_run.name',
      'workflow_job.name',
      'check_suite.app.name',
      'deployment.environment',
      'release.tag_name',
      'alert.rule.description',
      'alert.security_advisory.summary',
      'alert.secret_type_display_name',
      'context',
      'repository.full_name',
    ],
    severity: [
      'alert.rule.security_severity_level',
      'alert.rule.severity',
      'alert.security_advisory.severity',
      'alert.security_vulnerability.severity',
    ],
    identity: {
      // Node ids and addresses are unique among all kinds.
      kinds: [
        { kind: null, name: ['deployment.node_id'], hasState: true, start: 'report' },
        { kind: null, name: ['workflow_run.node_id'], hasState: true, start: 'occurrence' },
        { kind: null, name: ['check_run.node_id'], hasState: true, start: 'occurrence' },
        { kind: null, name: ['check_suite.node_id'], hasState: true, start: 'none' },
        { kind: null, name: ['workflow_job.node_id'], hasState: true, start: 'occurrence' },
        { kind: null, name: ['alert.html_url'], hasState: true, start: 'birth', changedAt: 'alert.updated_at' },
        { kind: 'status', name: ['repository.full_name', 'sha', 'context'], hasState: true, start: 'report' },
      ],
      otherwise: 'no state',
    },
    startedAt: [
      'deployment_status.created_at',
      'workflow_run.run_started_at',
      'check_run.started_at',
      'workflow_job.started_at',
      'deployment.created_at',
      'alert.created_at',
      'updated_at',
    ],
    link: ['workflow_run.html_url', 'deployment_status.target_url', 'release.html_url', 'repository.html_url'],
    states: {
      inactive: 'resolved',
      fixed: 'resolved',
      dismissed: 'resolved',
      auto_dismissed: 'resolved',
      startup_failure: 'failed',
    },
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
