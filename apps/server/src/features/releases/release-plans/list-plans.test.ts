import { describe, expect, it } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { givenEnabled, givenFlagIn, givenProject } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { type GivenPlan, givenPlan, givenStuck, planOf, rolloutTo } from '#testing/release-plans.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const list = 'GET /api/admin/release-plans';
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const memberRole = 5;

interface Listed {
  readonly id: string;
  readonly project: string;
  readonly featureName: string;
  readonly progress: { readonly state: string };
}

async function listed(query: Readonly<Record<string, string | number>>, client = server().admin) {
  const { json } = await client.call(list, { query });
  return json as { readonly releasePlans: Listed[]; readonly total: number };
}

const inProject = async (project: string, milestones: readonly object[] = [rolloutTo(10, 60), rolloutTo(100)]) =>
  givenPlan(server(), milestones, await givenEnabled(server(), project));

const start = ({ params, milestoneIds }: GivenPlan, index: number) =>
  server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
    params: { ...params, milestoneId: milestoneIds[index] ?? '' },
  });

describe('the list of release plans', () => {
  it('has those that need a person first, each with the state that its flag shows', async () => {
    const project = await givenProject(server());
    const stuck = await givenStuck(server(), project);
    const approved = { intervalMinutes: 1, approval: { by: 'person' } };
    const gated = await inProject(project, [{ ...rolloutTo(10, 1), transitionCondition: approved }, rolloutTo(100)]);
    server().clock.advance(60_000);
    await server().app.service.jobs.runDue();
    expect((await planOf(server(), stuck.params)).progress.state).toBe('paused');
    const completed = await inProject(project);
    await start(completed, 1);
    const running = await inProject(project);
    const off = await givenPlan(server(), undefined, await givenFlagIn(server(), 'development', project));
    const waiting = await inProject(project, [rolloutTo(10), rolloutTo(100)]);
    const paused = await inProject(project);
    await server().admin.call(`POST ${environment}/progressions/:planId/pause`, { params: paused.params });
    const held = await inProject(project);
    await givenHold(server(), held.params);

    const { releasePlans, total } = await listed({ project });
    expect(total).toBe(8);
    const expected = { stuck, held, paused, waiting, gated, off, running, completed };
    expect(releasePlans.map(({ featureName }) => featureName)).toEqual(
      Object.values(expected).map(({ params }) => params.featureName),
    );
    expect(releasePlans.map(({ progress }) => progress.state)).toEqual(
      Object.keys(expected).map((name) => (name === 'stuck' ? 'paused' : name)),
    );
    for (const { progress } of releasePlans)
      expect(
        (await listed({ project, state: progress.state })).releasePlans.map((plan) => plan.progress.state),
      ).toEqual(releasePlans.filter((plan) => plan.progress.state === progress.state).map(() => progress.state));
  });

  it('is read in pages, and says how many there are', async () => {
    const project = await givenProject(server());
    const plans = [await inProject(project), await inProject(project), await inProject(project)];
    const first = await listed({ project, limit: 2 });
    const rest = await listed({ project, limit: 2, offset: 2 });
    expect([first.releasePlans.length, rest.releasePlans.length, first.total, rest.total]).toEqual([2, 1, 3, 3]);
    const ids = [...first.releasePlans, ...rest.releasePlans].map(({ id }) => id);
    expect(ids.toSorted()).toEqual(plans.map(({ params }) => params.planId).toSorted());
  });

  it('leaves out the projects that the caller cannot see', async () => {
    const [open, hidden] = [await givenProject(server()), await givenProject(server(), { mode: 'private' })];
    for (const project of [open, hidden]) await inProject(project);
    const client = server().client(await server().tokenOf('viewer'));
    const projects = (await listed({ limit: 1000 }, client)).releasePlans.map(({ project }) => project);
    expect([projects.includes(open), projects.includes(hidden)]).toEqual([true, false]);
    expect(await listed({ project: hidden }, client)).toEqual({ releasePlans: [], total: 0 });
    const member = await givenMember(server(), hidden, memberRole);
    expect((await listed({ project: hidden }, member.client)).total).toBe(1);
  });
});
