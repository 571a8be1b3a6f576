import type { SignalSample } from './sample.ts';

/**
 * A sample that follows the documentation of the sender, which `tests/payloads/INDEX.json` names. Times and ids are
 * filled in when the sample is sent.
 */
export const betterStackSample: SignalSample = {
  firing: message('Started', null),
  resolved: message('Resolved', '{now}'),
};

function message(status: 'Started' | 'Resolved', resolvedAt: string | null) {
  return {
    data: {
      id: '25',
      type: 'incident',
      attributes: {
        name: 'checkout.example.com',
        url: 'https://checkout.example.com',
        http_method: 'get',
        cause: 'Status 500',
        incident_group_id: null,
        started_at: '{startedAt}',
        acknowledged_at: null,
        acknowledged_by: null,
        resolved_at: resolvedAt,
        resolved_by: null,
        status,
        team_name: 'Shop',
      },
      relationships: {
        monitor: {
          data: {
            id: '2',
            type: 'monitor',
          },
        },
      },
    },
  };
}
