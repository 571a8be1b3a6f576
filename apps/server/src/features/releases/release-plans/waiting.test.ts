import { describe, expect, it } from 'vitest';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { approve, type GivenPlan, givenPlan, givenStuck, passMinutes, rolloutTo } from '#testing/release-plans.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();

/** Returns the summaries of the events of a type about a flag, oldest first. */
async function told({ params }: GivenPlan, type: string): Promise<readonly string[]> {
  const query = { feature: `IS:${params.featureName}`, type: `IS:${type}`, limit: 100 };
  const { events } = (await server().admin.call('GET /api/admin/search/events', { query })).json;
  return events.map(({ summary }: { summary: string }) => summary).toReversed();
}
const waits = (plan: GivenPlan) => told(plan, 'release-plan-waiting');
const pass = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) await passMinutes(server(), 1);
};
const approved = (more: object = {}) => ({
  ...rolloutTo(10, 1),
  transitionCondition: { intervalMinutes: 1, approval: { by: 'person' }, ...more },
});

describe('a plan that waits for a person', () => {
  it('says so once when only the approval is missing, and again when the milestone starts anew', async () => {
    const plan = await givenPlan(server(), [approved(), rolloutTo(100)]);
    await pass(5);
    expect(await waits(plan)).toEqual([
      expect.stringMatching(/release plan waits for a person .* at \*\*.+\*\*: Waits for the approval of a person\.$/),
    ]);
    const { id } = await givenHold(server(), plan.params);
    await releaseHold(server(), plan.params, id);
    await pass(3);
    expect(await waits(plan)).toHaveLength(2);
  });

  it('says nothing while another gate is closed, or once it is approved', async () => {
    const closed = await givenPlan(server(), [approved({ evaluations: 1_000_000 }), rolloutTo(100)]);
    const open = await givenPlan(server(), [approved(), rolloutTo(100)]);
    await approve(server(), open);
    await pass(5);
    expect([await waits(closed), await waits(open)]).toEqual([[], []]);
  });

  it('says so when it reached a milestone after which a person starts the next, but not to that person', async () => {
    const plan = await givenPlan(server(), [rolloutTo(10, 1), rolloutTo(50), rolloutTo(100)]);
    const manual = await givenPlan(server(), [rolloutTo(10), rolloutTo(50), rolloutTo(100)]);
    await pass(3);
    expect(await waits(plan)).toEqual([expect.stringContaining('Waits for a person to start the next milestone.')]);
    expect(await waits(manual)).toEqual([]);
  });

  it('is halted when automation stopped it, and paused when a person did', async () => {
    const [stuck, paused] = [await givenStuck(server()), await givenPlan(server())];
    await pass(2);
    const route =
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/pause';
    await server().admin.call(route, { params: paused.params });
    const [type, at] = ['release-plan-progressions-paused', / at \*\*.+\*\*/];
    expect(await told(stuck, type)).toEqual([expect.stringContaining('release plan halted')]);
    expect(await told(paused, type)).toEqual([expect.stringContaining('release plan progressions paused')]);
    for (const plan of [stuck, paused]) expect((await told(plan, type))[0]).toMatch(at);
  });
});
