import type { SignalSample } from './sample.ts';

/**
 * A sample that follows the documentation of the sender, which `tests/payloads/INDEX.json` names. Times and ids are
 * filled in when the sample is sent.
 */
export const sentrySample: SignalSample = { firing: message(true), resolved: message(false) };

function message(isOpen: boolean) {
  return {
    action: isOpen ? 'critical' : 'resolved',
    actor: {
      id: 'sentry',
      name: 'Sentry',
      type: 'application',
    },
    data: {
      description_text: '1204 events in the last 10 minutes\nFilter: level:error',
      description_title: `${isOpen ? 'Critical' : 'Resolved'}: Too many errors in checkout`,
      metric_alert: {
        alert_rule: {
          aggregate: 'count()',
          created_by: null,
          dataset: 'events',
          date_created: '2026-09-13T12:26:40.000000Z',
          date_modified: '2026-09-13T12:26:40.000000Z',
          environment: null,
          id: '7',
          include_all_projects: false,
          name: 'Too many errors in checkout',
          organization_id: '5',
          projects: ['checkout'],
          query: 'level:error',
          resolution: 1,
          resolve_threshold: null,
          status: 0,
          threshold_period: 1,
          threshold_type: 0,
          time_window: 10,
          triggers: [
            {
              id: '15',
              alert_rule_id: '7',
              label: 'critical',
              threshold_type: 0,
              alert_threshold: 1000,
              resolve_threshold: null,
              date_created: '2026-09-13T12:26:40.000000Z',
              actions: [],
            },
          ],
        },
        date_closed: isOpen ? null : '{now}',
        date_created: '{startedAt}',
        date_detected: '{startedAt}',
        date_started: '{startedAt}',
        id: '4',
        identifier: '1',
        organization_id: '5',
        projects: ['checkout'],
        status: isOpen ? 20 : 2,
        status_method: 3,
        title: 'Too many errors in checkout',
        type: 2,
      },
      web_url: 'https://sentry.io/organizations/example/alerts/1/',
    },
    installation: {
      uuid: '0d6b2a4e-6a5e-4b31-9ad1-6f6cbd0d1f5e',
    },
  };
}
