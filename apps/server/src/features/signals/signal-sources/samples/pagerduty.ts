import type { SignalSample } from './sample.ts';

/**
 * A sample that follows the documentation of the sender, which `tests/payloads/INDEX.json` names. Times and ids are
 * filled in when the sample is sent.
 */
export const pagerdutySample: SignalSample = { firing: message('triggered'), resolved: message('resolved') };

function message(status: 'triggered' | 'resolved') {
  return {
    event: {
      id: '{id}',
      event_type: `incident.${status}`,
      resource_type: 'incident',
      occurred_at: '{now}',
      agent: null,
      client: {
        name: 'Monitoring Service',
        url: 'https://monitoring.example.org',
      },
      data: {
        id: 'PGR0VU2',
        type: 'incident',
        self: 'https://api.pagerduty.com/incidents/PGR0VU2',
        html_url: 'https://example.pagerduty.com/incidents/PGR0VU2',
        number: 2,
        status,
        incident_key: 'd3640fbd41094207a1c11e58e46b1662',
        created_at: '{startedAt}',
        title: 'Checkout error rate',
        service: {
          html_url: 'https://example.pagerduty.com/services/PF9KMXH',
          id: 'PF9KMXH',
          self: 'https://api.pagerduty.com/services/PF9KMXH',
          summary: 'Checkout',
          type: 'service_reference',
        },
        assignees: [
          {
            html_url: 'https://example.pagerduty.com/users/PTUXL6G',
            id: 'PTUXL6G',
            self: 'https://api.pagerduty.com/users/PTUXL6G',
            summary: 'On call',
            type: 'user_reference',
          },
        ],
        escalation_policy: {
          html_url: 'https://example.pagerduty.com/escalation_policies/PUS0KTE',
          id: 'PUS0KTE',
          self: 'https://api.pagerduty.com/escalation_policies/PUS0KTE',
          summary: 'Default',
          type: 'escalation_policy_reference',
        },
        teams: [
          {
            html_url: 'https://example.pagerduty.com/teams/PFCVPS0',
            id: 'PFCVPS0',
            self: 'https://api.pagerduty.com/teams/PFCVPS0',
            summary: 'Engineering',
            type: 'team_reference',
          },
        ],
        priority: null,
        urgency: 'high',
        conference_bridge: null,
        resolve_reason: null,
      },
    },
  };
}
