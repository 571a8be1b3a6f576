import { describe, expect, it } from 'vitest';
import type { FlagEnvironmentParams } from '#testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, planOf, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const server = useServer();
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

interface Guarded {
  readonly name: string;
  readonly params: FlagEnvironmentParams & { readonly planId: string };
  readonly milestoneIds: readonly string[];
}

/** Starts a plan at 50 %, with a safeguard that holds its flag at more than 10 errors in five minutes. */
async function givenGuarded(holdAt: string, more: object = {}): Promise<Guarded> {
  const name = metricNamed('failed');
  startMinute(server());
  await reportMetrics(server(), [{ name, samples: [{ value: 0 }] }], 'development');
  const milestones = [rolloutTo(10), rolloutTo(50, 60), rolloutTo(100)];
  const { params, milestoneIds } = await givenPlan(server(), milestones, undefined, more);
  await start({ name, params, milestoneIds }, 1);
  await setSafeguard(server(), params, { ...moreThan(10, `unleash_counter_${name}`), holdAt });
  return { name, params, milestoneIds };
}

const start = ({ params, milestoneIds }: Guarded, index: number) =>
  server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
    params: { ...params, milestoneId: milestoneIds[index] ?? 'none' },
  });

/** Reports errors in each of the next minutes, and advances the clock; reports nothing when `value` is undefined. */
async function errors({ name }: Guarded, value: number | undefined, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    if (value !== undefined) await reportMetrics(server(), [{ name, samples: [{ value }] }], 'development');
    server().clock.advance(60_000);
    await server().app.service.jobs.runDue();
  }
}

/** Returns the percentages that SDKs receive; undefined while the flag is off for them. */
async function served({ params: { featureName, environment: place } }: Guarded) {
  const { secret } = await givenToken(server(), { environment: place });
  const { features } = (await server().client(secret).call('GET /api/client/features')).json;
  const flag = features.find((feature: { name: string }) => feature.name === featureName);
  return flag.enabled
    ? flag.strategies.map(({ parameters }: { parameters: { rollout: string } }) => parameters.rollout)
    : undefined;
}

const stateOf = async ({ params }: Guarded) => (await safeguardsOf(server(), params))[0].status.state;

const holdsOf = async ({ params: { projectId, featureName } }: Guarded) =>
  (
    await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', {
      params: { projectId, featureName },
    })
  ).json.leases;

describe('a safeguard that holds the flag of a plan', () => {
  it('serves the milestone before while its threshold is crossed, and then its milestone anew', async () => {
    const guarded = await givenGuarded('previous');
    await errors(guarded, 20, 2);
    expect(await served(guarded)).toEqual(['10']);
    expect((await planOf(server(), guarded.params)).progress).toMatchObject({ state: 'held', halts: 1 });
    expect(await holdsOf(guarded)).toMatchObject([
      {
        effect: 'milestone',
        milestone: { name: '10 %' },
        heldBy: { kind: 'safeguard', name: 'Safeguard', runId: null, actionSetId: null },
        reason: expect.stringMatching(/^Safeguard: unleash_counter_failed_\w+ \(count\) is \d+, above 10\.$/),
      },
    ]);
    await errors(guarded, 0, 7);
    expect(await served(guarded)).toEqual(['50']);
    expect(await stateOf(guarded)).toBe('within');
    const { progress } = await planOf(server(), guarded.params);
    expect(progress).toMatchObject({ state: 'running' });
    expect(progress.elapsedMinutes).toBeLessThan(3);
  });

  it('stops the last milestone too', async () => {
    const guarded = await givenGuarded('first');
    await start(guarded, 2);
    await errors(guarded, 20, 2);
    expect(await served(guarded)).toEqual(['10']);
  });

  it('keeps the flag held while there is no data', async () => {
    const guarded = await givenGuarded('off');
    await errors(guarded, 20, 2);
    expect(await served(guarded)).toBeUndefined();
    await errors(guarded, undefined, 30);
    expect(await served(guarded)).toBeUndefined();
    expect(await stateOf(guarded)).toBe('triggered');
  });

  it('does not hold the flag again that a person released, until the value was within the threshold', async () => {
    const guarded = await givenGuarded('off');
    await errors(guarded, 20, 2);
    const [{ id: leaseId }] = await holdsOf(guarded);
    await server().admin.call(`DELETE ${environment}/leases/:leaseId`, { params: { ...guarded.params, leaseId } });
    await errors(guarded, 20, 3);
    expect(await served(guarded)).toEqual(['50']);
    await errors(guarded, 0, 7);
    await errors(guarded, 20, 2);
    expect(await served(guarded)).toBeUndefined();
  });

  it('holds nothing while a person overrides automation, which also releases its hold', async () => {
    const guarded = await givenGuarded('off');
    await errors(guarded, 20, 2);
    const body = { reason: 'known', holds: 'release' };
    await server().admin.call(`PUT ${environment}/automation-override`, { params: guarded.params, body });
    expect(await served(guarded)).toEqual(['50']);
    await errors(guarded, 0, 7);
    await errors(guarded, 20, 2);
    expect(await served(guarded)).toEqual(['50']);
    expect(await stateOf(guarded)).toBe('crossed');
  });

  it('lets a plan go back that was halted too often', async () => {
    const guarded = await givenGuarded('previous', { maxHalts: 1 });
    await errors(guarded, 20, 2);
    await errors(guarded, 0, 7);
    expect(await holdsOf(guarded)).toEqual([]);
    expect(await served(guarded)).toEqual(['10']);
    expect((await planOf(server(), guarded.params)).progress).toMatchObject({ state: 'paused' });
  });

  const inPlan = `${environment}/release-plans/:planId` as const;
  it.each<[string, (guarded: Guarded) => Promise<unknown>]>([
    [
      'the safeguard is deleted',
      async ({ params }) => {
        const [{ id: safeguardId }] = await safeguardsOf(server(), params);
        const route = `DELETE ${inPlan}/safeguards/:safeguardId` as const;
        return server().admin.call(route, { params: { ...params, safeguardId } });
      },
    ],
    [
      'the safeguard is changed',
      ({ name, params }) => setSafeguard(server(), params, moreThan(90, `unleash_counter_${name}`)),
    ],
    [
      'the plan is removed',
      ({ params }) => server().admin.call(`DELETE ${inPlan}`, { params, query: { strategies: 'keep' } }),
    ],
  ])('releases the flag when %s', async (_, end) => {
    const guarded = await givenGuarded('off');
    await errors(guarded, 20, 2);
    expect(await holdsOf(guarded)).toHaveLength(1);
    await end(guarded);
    expect(await holdsOf(guarded)).toEqual([]);
    expect(await served(guarded)).toEqual(['50']);
  });

  it('is refused without a plan', async () => {
    const { name, params } = await givenGuarded('off');
    const body = { ...moreThan(10, `unleash_counter_${name}`), holdAt: 'off' };
    const { status, json } = await server().admin.call(`PUT ${environment}/safeguards`, { params, body });
    expect(status).toBe(400);
    expect(json.details[0]).toMatchObject({ path: 'holdAt' });
  });
});
