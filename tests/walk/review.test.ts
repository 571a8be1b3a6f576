import { environmentPermissions, eventLabels, projectPermissions, routes } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { reachOf } from '../../apps/server/src/features/change-control/reach.ts';
import { type Caller, givenCaller, givenRole, giveRoles } from '../../apps/server/testing/access.ts';
import { givenReview } from '../../apps/server/testing/change-requests.ts';
import { eventsAfter, lastEventId, type Scenario } from '../../apps/server/testing/scenario.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { loadScenarios } from './scenarios.ts';

// Every scenario that changes what SDKs get is run again where changes are reviewed: none may be a way around.

const allButSkip = [...projectPermissions, ...environmentPermissions].filter((one) => one !== 'SKIP_CHANGE_REQUEST');

/** The route that changes the state of a request, also back to review. */
const review = 'PUT /api/admin/projects/:projectId/change-requests/:id/state';

/** Only an administrator gets as far as being asked to skip review, and may. */
function isForAdministrators({ route }: Scenario): boolean {
  const { access } = routes[route];
  return typeof access === 'object' && 'permission' in access && String(access.permission) === 'ADMIN';
}

/** Whatever changes what SDKs get, by the events that it says it records. */
const reaching = (await loadScenarios()).filter(
  (scenario) =>
    scenario.route !== review &&
    scenario.status < 400 &&
    !isForAdministrators(scenario) &&
    (scenario.events ?? []).some((event) => reachOf(event) !== 'nothing'),
);

const isDeletion = ({ route }: Scenario) => route === 'DELETE /api/admin/projects/:projectId';

describe('where changes are reviewed', () => {
  const server = useServer();
  let somebody: Caller | undefined;
  let role = 0;

  beforeAll(async () => {
    role = (await givenRole(server(), { permissions: allButSkip.map((name) => ({ name })) })).id;
    somebody = await givenCaller(server(), 'Editor');
  });

  /** Review everywhere, for whoever may do anything but skip it; the role goes away with what is reviewed no more. */
  const reviewEverything = async (at: TestServer, caller: Caller) => {
    const { projects } = (await at.admin.call('GET /api/admin/projects')).json as { projects: { id: string }[] };
    for (const { id } of projects) {
      const config = await at.admin.call('GET /api/admin/projects/:projectId/change-requests/config', {
        params: { projectId: id },
      });
      for (const { environment } of config.json) await givenReview(at, id, environment);
      await giveRoles(at, id, [role], { users: [caller.id] });
    }
  };

  it('knows every kind of change that SDKs notice', () => {
    const kinds = new Set(reaching.flatMap(({ events = [] }) => events.map(({ type }) => type)));
    const known = (Object.keys(eventLabels) as (keyof typeof eventLabels)[]).filter(
      (type) => reachOf({ type }) !== 'nothing',
    );
    expect(known.filter((type) => !kinds.has(type))).toEqual([]);
  });

  it.each(reaching.map((scenario) => ({ title: `${scenario.route} ${scenario.name}`, scenario })))(
    '$title: is refused to whoever may not skip review',
    async ({ scenario }) => {
      const call = { ...scenario.call, ...(await scenario.given?.(server())) };
      const caller = somebody as Caller;
      await reviewEverything(server(), caller);
      const before = await lastEventId(server());
      const reply = await caller.client.call(scenario.route, { ...call, headers: {} });
      if (reply.status < 400) {
        // Objects that end with their project are not reviewed, and neither is an unused segment of all projects.
        const recorded = await eventsAfter(server(), before);
        const left = recorded.filter((event) => reachOf(event) !== 'nothing' && !isDeletion(scenario));
        expect(left.map(({ type, project }) => [type, project])).toEqual(left.map(({ type }) => [type, null]));
        expect(left.every(({ type }) => type.startsWith('segment-'))).toBe(true);
        return;
      }
      expect(`${reply.status} ${reply.text}`).toMatch(/^403 .*SKIP_CHANGE_REQUEST/);
      expect(reply.json).toMatchObject({ name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] });
      expect(await eventsAfter(server(), before)).toEqual([]);
    },
    30_000,
  );
});
