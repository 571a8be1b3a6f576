import { type ActionPlace, givenActionPlace, setBody } from './actions.ts';
import type { TestServer } from './server.ts';

/** Returns a filter that only `value` passes. */
export const is = (value: string) => ({ operator: 'IN', values: [value] });
/** Returns the body of a set that holds the flag off while an alert fires, and releases it when it is resolved. */
export function holdingAlerts(place: ActionPlace, more: { params?: object; set?: object; match?: object } = {}) {
  const { projectId: project, flag, endpoint } = place;
  const { environment, featureName } = flag;
  return setBody(place, {
    match: {
      source: 'signal-endpoint',
      sourceId: endpoint.id,
      payload: { 'item.status': is('firing') },
      release: { 'item.status': is('resolved') },
      forEach: 'alerts',
      ...more.match,
    },
    actions: [
      {
        action: 'HOLD_FEATURE',
        sortOrder: 1,
        executionParams: { project, environment, featureName, effect: 'off', minutes: 60, ...more.params },
      },
    ],
    ...more.set,
  });
}

/** Creates an Alertmanager's endpoint and a flag that is on. */
export async function givenAlertPlace(server: TestServer): Promise<ActionPlace> {
  const place = await givenActionPlace(server);
  const { id, name } = place.endpoint;
  const body = { name, source: 'alertmanager' };
  await server.admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
  await server.admin.call('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on', {
    params: place.flag,
  });
  return place;
}
