import { describe, expect, it } from 'vitest';
import type { FlagEnvironmentParams } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { givenPlan, passMinutes, planOf, servedPercentages } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const pass = (minutes: number) => passMinutes(server(), minutes);
const percentages = (params: FlagEnvironmentParams) => servedPercentages(server(), params);
const progressOf = async (params: FlagEnvironmentParams) => (await planOf(server(), params)).progress;

describe('a release plan that is halted', () => {
  it('goes back to its first milestone and waits for a person after too many halts', async () => {
    const { params, milestoneIds } = await givenPlan(server(), undefined, undefined, { maxHalts: 2 });
    await pass(60);
    const halt = async () => releaseHold(server(), params, (await givenHold(server(), params)).id);
    await halt();
    expect(await progressOf(params)).toMatchObject({ state: 'running', halts: 1 });
    const before = await lastEventId(server());
    const { id } = await givenHold(server(), params);
    const reason = 'Halted 2 times at 50 %: the plan went back to 10 %. A person resumes it.';
    expect(await progressOf(params)).toMatchObject({ state: 'paused', reason });
    const ofPlans = (await eventsAfter(server(), before)).filter(({ type }) => type.startsWith('release-plan'));
    expect(ofPlans).toMatchObject([
      { type: 'release-plan-progressions-paused', data: { reason: 'The flag is held.' } },
      { type: 'release-plan-milestone-started', data: { milestoneId: milestoneIds[0], trigger: 'halts' } },
      { type: 'release-plan-progressions-paused', data: { reason } },
    ]);
    await releaseHold(server(), params, id);
    await pass(600);
    expect(await percentages(params)).toEqual(['10']);
    await server().admin.call(`POST ${environment}/progressions/:planId/resume`, { params });
    expect(await progressOf(params)).toMatchObject({ state: 'running', halts: 0 });
    await pass(60);
    expect(await percentages(params)).toEqual(['50']);
  });

  it('stays at its first milestone and waits for a person after too many halts there', async () => {
    const { params } = await givenPlan(server(), undefined, undefined, { maxHalts: 1 });
    await givenHold(server(), params);
    const reason = 'Halted once at 10 %. A person resumes it.';
    expect(await progressOf(params)).toMatchObject({ state: 'paused', reason });
  });

  it('counts halts at each milestone anew', async () => {
    const { params } = await givenPlan(server(), undefined, undefined, { maxHalts: 2 });
    const halt = async () => releaseHold(server(), params, (await givenHold(server(), params)).id);
    for (const share of ['10', '50', '100']) {
      expect(await percentages(params)).toEqual([share]);
      await halt();
      await pass(60);
    }
    // The release is over at the last milestone, so a halt there changes nothing.
    await halt();
    expect(await progressOf(params)).toMatchObject({ state: 'completed' });
  });
});
