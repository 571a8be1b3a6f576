import { describe, expect, it } from 'vitest';
import { addStrategy, type FlagEnvironmentParams, freshName, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenPlan, inThreeSteps, passMinutes, planOf, servedPercentages } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const environment = 'development';

const pass = (minutes: number) => passMinutes(server(), minutes);

async function givenOwnPlan() {
  return givenPlan(server(), inThreeSteps, await givenEnabled(server(), await givenProject(server())));
}

async function exportOf({ featureName }: FlagEnvironmentParams) {
  const body = { environment, features: [featureName] };
  return (await server().admin.call('POST /api/admin/features-batch/export', { body })).json;
}

const importInto = (project: string, data: object) =>
  server().admin.call('POST /api/admin/features-batch/import', { body: { project, environment, data } });

const rolloutsOf = ({ featureStrategies }: { featureStrategies: readonly { parameters: { rollout: string } }[] }) =>
  featureStrategies.map(({ parameters }) => parameters.rollout);

describe('an export of a flag with a release plan', () => {
  it('has the strategies of the active milestone, which an import gives to a flag as its own', async () => {
    const { params } = await givenOwnPlan();
    await pass(60);
    const data = await exportOf(params);
    expect(rolloutsOf(data)).toEqual(['50']);
    expect(JSON.stringify(data)).not.toMatch(/milestone|releasePlan/);

    const copy = { ...params, projectId: await givenProject(server()), featureName: freshName('flag') };
    const renamed = JSON.parse(JSON.stringify(data).replaceAll(params.featureName, copy.featureName));
    expect((await importInto(copy.projectId, renamed)).status).toBe(200);
    expect(await servedPercentages(server(), copy)).toEqual(['50']);
    expect(await planOf(server(), copy)).toBeUndefined();
    await pass(60);
    expect(await servedPercentages(server(), copy)).toEqual(['50']);
  });
});

describe('an import over a flag with a release plan', () => {
  it('is refused as a whole with 409 when it changes the strategies of the plan', async () => {
    const { params } = await givenOwnPlan();
    const data = await exportOf(params);
    await pass(60);
    const before = { plan: await planOf(server(), params), event: await lastEventId(server()) };
    const more = freshName('flag');
    const body = { project: params.projectId, environment: 'development', data };
    const { json: foreseen } = await server().admin.call('POST /api/admin/features-batch/validate', { body });
    expect(foreseen.errors).toEqual([
      { message: expect.stringMatching(/^The release plan Release gradually/), affectedItems: [params.featureName] },
    ]);
    const reply = await importInto(params.projectId, { ...data, features: [...data.features, { name: more }] });
    expect(reply.status).toBe(409);
    expect(reply.json).toMatchObject({
      name: 'ConflictError',
      message: expect.stringMatching(
        /^The release plan Release gradually of the flag .* runs this strategy in development\. Change the milestone 50 %, or remove the plan/,
      ),
      releasePlanId: params.planId,
    });
    expect(await eventsAfter(server(), before.event)).toEqual([]);
    expect(await planOf(server(), params)).toEqual(before.plan);
    expect(await servedPercentages(server(), params)).toEqual(['50']);
    const flag = { params: { projectId: params.projectId, featureName: more } };
    const { status } = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', flag);
    expect(status).toBe(404);
  });

  it('changes nothing when it has the strategies of the active milestone', async () => {
    const { params } = await givenOwnPlan();
    await addStrategy(server(), params, { name: 'default' });
    const data = await exportOf(params);
    const before = await lastEventId(server());
    expect((await importInto(params.projectId, data)).status).toBe(200);
    expect(await eventsAfter(server(), before)).toEqual([]);
    await pass(60);
    expect(await servedPercentages(server(), params)).toEqual([undefined, '50']);
  });
});
