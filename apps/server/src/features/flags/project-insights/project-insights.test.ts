import { describe, expect, it } from 'vitest';
import { projectFlags } from '#features/flags/flags/index.ts';
import { withListener } from '#storage/kysely-connection.ts';
import { givenGroup, giveRoles } from '#testing/access.ts';
import { givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { givenUser } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { givenSdk } from '#testing/tokens.ts';
import { projectInsightsScenarios } from './project-insights.scenarios.ts';
import { projectInsightsHandlers } from './routes.ts';

const dayMs = 24 * 60 * 60 * 1000;
const memberRole = 5;

describe('project insights routes', () => testScenarios(useServer(), projectInsightsScenarios));

describe('project insights', () => {
  const server = useServer();
  const of = async (projectId: string) =>
    (await server().admin.call('GET /api/admin/projects/:projectId/insights', { params: { projectId } })).json;

  it('count the activity of the last 30 days and of the 30 days before', async () => {
    const projectId = await givenProject(server());
    const [early, late] = [await givenUser(server()), await givenUser(server())];
    const group = await givenGroup(server(), [early.id]);
    await giveRoles(server(), projectId, [memberRole], { groups: [group.id] });
    await givenFlag(server(), {}, projectId);
    await givenArchived(server(), projectId);
    expect((await of(projectId)).stats).toMatchObject({
      createdCurrentWindow: 2,
      createdPastWindow: 0,
      archivedCurrentWindow: 1,
      archivedPastWindow: 0,
      projectMembersAddedCurrentWindow: 1,
    });
    server().clock.advance(31 * dayMs);
    await givenFlag(server(), {}, projectId);
    await giveRoles(server(), projectId, [memberRole], { users: [early.id, late.id] });
    const { stats, members } = await of(projectId);
    expect(stats).toEqual({
      avgTimeToProdCurrentWindow: 0,
      createdCurrentWindow: 1,
      createdPastWindow: 2,
      archivedCurrentWindow: 0,
      archivedPastWindow: 1,
      projectActivityCurrentWindow: 2,
      projectActivityPastWindow: 5,
      projectMembersAddedCurrentWindow: 1,
    });
    expect(members).toEqual({ currentMembers: 2, change: 1 });
    const overview = await server().admin.call('GET /api/admin/projects/:projectId/overview', {
      params: { projectId },
    });
    expect(overview.json.stats).toEqual(stats);
    server().clock.advance(62 * dayMs);
    expect(Object.values((await of(projectId)).stats)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('show lead times and stale flags', async () => {
    const projectId = await givenProject(server());
    const [quick, slow] = [
      await givenFlag(server(), { type: 'operational' }, projectId),
      await givenFlag(server(), { type: 'permission' }, projectId),
    ];
    const sdk = await givenSdk(server(), { environment: 'production' });
    const use = async (name: string) => {
      const at = server().clock.now();
      const toggles = { [name]: { yes: 1, no: 0 } };
      await sdk.call('POST /api/client/metrics', {
        body: { appName: 'a', instanceId: 'i', bucket: { start: at, stop: at, toggles } },
      });
      await server().app.service.usage.flush();
    };
    server().clock.advance(2 * dayMs);
    await use(quick.featureName);
    server().clock.advance(7 * dayMs);
    await use(slow.featureName);
    const { stats, leadTime, health } = await of(projectId);
    expect(stats.avgTimeToProdCurrentWindow).toBe(5.5);
    expect(leadTime.projectAverage).toBe(5.5);
    expect(leadTime.features).toEqual(
      [
        { name: quick.featureName, timeToProduction: 2 },
        { name: slow.featureName, timeToProduction: 9 },
      ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
    expect(health).toEqual({ rating: 50, activeCount: 1, potentiallyStaleCount: 1, staleCount: 0 });
    const dora = await server().admin.call('GET /api/admin/projects/:projectId/dora', { params: { projectId } });
    expect(dora.json).toEqual(leadTime);
    server().clock.advance(31 * dayMs);
    expect((await of(projectId)).stats.avgTimeToProdCurrentWindow).toBe(0);
    expect((await of(projectId)).leadTime.projectAverage).toBe(5.5);
  });

  it('read daily sums instead of counting events', async () => {
    const projectId = await givenProject(server());
    const before = (await of(projectId)).stats.projectActivityCurrentWindow;
    await givenFlag(server(), {}, projectId);
    const statements: string[] = [];
    const db = withListener(server().app.database.db, (statement) => void statements.push(statement));
    const handlers = projectInsightsHandlers({
      database: { db },
      clock: server().clock,
      flags: projectFlags({ strategies: 9, segments: 9, constraints: 9, constraintValues: 9 }),
      reviewedIn: async () => new Set(),
    });
    const caller = { actor: { userId: 1 }, hidden: new Set() };
    const answer = await handlers['GET /api/admin/projects/:projectId/insights']({
      params: { projectId },
      caller,
    } as never);
    expect(answer.body).toMatchObject({ stats: { projectActivityCurrentWindow: before + 1 } });
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((statement) => /count\(.*from "?events"?\s/s.test(statement))).toEqual([]);
  });

  it('take as many statements with many flags as with one', async () => {
    const projectId = await givenProject(server());
    const statements = async () => {
      await givenFlag(server(), {}, projectId);
      const { db, counter } = counted(server().app.database);
      const handlers = projectInsightsHandlers({
        database: { db },
        clock: server().clock,
        flags: projectFlags({ strategies: 9, segments: 9, constraints: 9, constraintValues: 9 }),
        reviewedIn: async () => new Set(),
      });
      const caller = { actor: { userId: 1 }, hidden: new Set() };
      await handlers['GET /api/admin/projects/:projectId/insights']({ params: { projectId }, caller } as never);
      return counter.statements;
    };
    const withOneFlag = await statements();
    for (let more = 0; more < 4; more++) await givenFlag(server(), {}, projectId);
    expect(await statements()).toBe(withOneFlag);
  });
});
