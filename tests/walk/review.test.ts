import { environmentPermissions, eventLabels, projectPermissions, routes } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventScope } from '../../apps/server/src/features/flags/change-control/event-scope.ts';
import { type Caller, givenCaller, givenRole, giveRoles } from '../../apps/server/testing/access.ts';
import { givenReview } from '../../apps/server/testing/change-requests.ts';
import { eventsAfter, lastEventId, type Scenario } from '../../apps/server/testing/scenario.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { loadScenarios } from './scenarios.ts';

// Runs every scenario that changes SDK answers again in reviewed environments: no route may bypass review.

const allButSkip = [...projectPermissions, ...environmentPermissions].filter(
  (permission) => permission !== 'SKIP_CHANGE_REQUEST',
);

/** The route that approves and applies change requests; it is not tested here. */
const review = 'PUT /api/admin/projects/:projectId/change-requests/:id/state';

/** Returns whether the route of a scenario is for administrators only. They may skip review, so it is excluded. */
function isForAdministrators({ route }: Scenario): boolean {
  const { access } = routes[route];
  return typeof access === 'object' && 'permission' in access && String(access.permission) === 'ADMIN';
}

/** The scenarios whose recorded events change SDK answers. */
const reaching = (await loadScenarios()).filter(
  (scenario) =>
    scenario.route !== review &&
    scenario.status < 400 &&
    !isForAdministrators(scenario) &&
    (scenario.events ?? []).some((event) => eventScope(event) !== 'none'),
);

const isDeletion = ({ route }: Scenario) => route === 'DELETE /api/admin/projects/:projectId';

describe('where changes are reviewed', () => {
  const server = useServer();
  let editor: Caller | undefined;
  let role = 0;

  beforeAll(async () => {
    role = (await givenRole(server(), { permissions: allButSkip.map((name) => ({ name })) })).id;
    editor = await givenCaller(server(), 'Editor');
  });

  /** Turns review on in every environment and gives the caller a role with every permission except skipping review. */
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

  it('has a scenario for every event type that changes SDK answers', () => {
    const kinds = new Set(reaching.flatMap(({ events = [] }) => events.map(({ type }) => type)));
    const known = (Object.keys(eventLabels) as (keyof typeof eventLabels)[]).filter(
      (type) => eventScope({ type }) !== 'none',
    );
    expect(known.filter((type) => !kinds.has(type))).toEqual([]);
  });

  it.each(reaching.map((scenario) => ({ title: `${scenario.route} ${scenario.name}`, scenario })))(
    '$title: answers 403 without the permission to skip review',
    async ({ scenario }) => {
      const call = { ...scenario.call, ...(await scenario.given?.(server())) };
      const caller = editor as Caller;
      await reviewEverything(server(), caller);
      const before = await lastEventId(server());
      const reply = await caller.client.call(scenario.route, { ...call, headers: {} });
      if (reply.status < 400) {
        // These two are allowed: deleting a project with its review settings, and changing a shared segment without
        // uses.
        const recorded = await eventsAfter(server(), before);
        const left = recorded.filter((event) => eventScope(event) !== 'none' && !isDeletion(scenario));
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
