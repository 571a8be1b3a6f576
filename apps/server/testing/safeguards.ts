import { expect } from 'vitest';
import type { FlagEnvironmentParams } from './flags.ts';
import type { TestServer } from './server.ts';

const place = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

/** Returns a safeguard that triggers when a counter adds more than `threshold` in five minutes. */
export function moreThan(threshold: number, metricName: string, more: object = {}) {
  return {
    impactMetric: {
      metricName,
      timeRange: 'hour',
      aggregationMode: 'count',
      labelSelectors: { environment: ['development'] },
      minutes: 5,
      ...more,
    },
    triggerCondition: { operator: '>', threshold },
  };
}

/** Sets a safeguard of a flag, or of its plan when the parameters name one. */
export async function setSafeguard(
  server: TestServer,
  params: FlagEnvironmentParams & { readonly planId?: string },
  body: object,
): Promise<void> {
  const route =
    params.planId === undefined ? `PUT ${place}/safeguards` : `PUT ${place}/release-plans/:planId/safeguards`;
  const { status, text } = await server.admin.call(route as `PUT ${typeof place}/safeguards`, { params, body });
  expect(`${status}${text}`).toBe('204');
}

/** Returns the safeguards of a flag and its plan. */
export async function safeguardsOf(server: TestServer, params: FlagEnvironmentParams) {
  return (await server.admin.call(`GET ${place}/safeguards`, { params })).json.safeguards;
}
