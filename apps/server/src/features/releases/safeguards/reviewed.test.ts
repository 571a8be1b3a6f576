import type { Permission } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { givenMember, givenRole } from '#testing/access.ts';
import { givenReview, requestChanges, setRequestState } from '#testing/change-requests.ts';
import { givenEnabled, givenProject } from '#testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, planOf, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();

/** Reports `value` errors in each of the next `minutes` minutes, and advances the clock. */
async function errors(name: string, value: number, minutes = 1): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await reportMetrics(server(), [{ name, samples: [{ value }] }], 'development');
    server().clock.advance(60_000);
    await server().app.service.jobs.runDue();
  }
}

describe('safeguards where changes are reviewed', () => {
  const place = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

  it('are set and deleted by change requests only', async () => {
    const name = metricNamed('failed');
    startMinute(server());
    await errors(name, 0);
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { params } = await givenPlan(server(), [rolloutTo(10, 30), rolloutTo(100)], flag);
    await givenReview(server(), flag.projectId);
    const { client } = await givenMember(server(), flag.projectId, 5);
    const body = moreThan(10, `unleash_counter_${name}`);
    for (const route of [`PUT ${place}/safeguards`, `PUT ${place}/release-plans/:planId/safeguards`] as const) {
      expect((await client.call(route, { params, body })).status).toBe(403);
    }
    const feature = flag.featureName;
    const apply = async (changes: unknown) => {
      const { id } = await requestChanges(client, params, changes);
      await setRequestState(client, flag.projectId, id, 'In review');
      await setRequestState(server().admin, flag.projectId, id, 'Approved');
      await setRequestState(server().admin, flag.projectId, id, 'Applied');
    };
    await apply([
      { action: 'changeSafeguard', feature, payload: body },
      { action: 'changeSafeguard', feature, payload: { ...body, planId: params.planId } },
    ]);
    const set = await safeguardsOf(server(), params);
    expect(set.map(({ action }: { action: { type: string } }) => action.type).toSorted()).toEqual([
      'disableFeatureEnvironment',
      'pauseReleasePlanProgressions',
    ]);
    const own = set.find(({ action }: { action: { type: string } }) => action.type === 'disableFeatureEnvironment');
    await apply({ action: 'deleteSafeguard', feature, payload: { safeguardId: own.id } });
    expect(await safeguardsOf(server(), params)).toHaveLength(1);
    await errors(name, 20, 2);
    expect((await planOf(server(), params)).progress.state).toBe('paused');
  });

  it('are several in one draft when their metrics differ by label', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    await givenReview(server(), flag.projectId);
    const { client } = await givenMember(server(), flag.projectId, 5);
    const name = metricNamed('failed');
    startMinute(server());
    const samples = ['eu', 'us'].map((region) => ({ value: 0, labels: { region } }));
    await reportMetrics(server(), [{ name, samples }], 'development');
    const body = moreThan(10, `unleash_counter_${name}`);
    const changes = ['eu', 'us'].map((region) => ({
      action: 'changeSafeguard',
      feature: flag.featureName,
      payload: { ...body, impactMetric: { ...body.impactMetric, labelSelectors: { region: [region] } } },
    }));
    for (const change of changes) await requestChanges(client, flag, change);
    const { features } = await requestChanges(client, flag, changes[0]);
    expect(features[0].changes).toHaveLength(2);
  });

  it.each([
    ['of a flag', 'UPDATE_FEATURE_ENVIRONMENT', 'UPDATE_FEATURE_STRATEGY', false],
    ['of a plan', 'UPDATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_ENVIRONMENT', true],
  ] as const)('%s need the permission of the direct change, %s', async (_, needed, other, ofPlan) => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { params } = await givenPlan(server(), undefined, flag);
    const name = metricNamed('failed');
    startMinute(server());
    await errors(name, 0);
    const payload = { ...moreThan(10, `unleash_counter_${name}`), ...(ofPlan ? { planId: params.planId } : {}) };
    const body = { action: 'changeSafeguard', feature: flag.featureName, payload };
    const { projectId, environment } = params;
    const statusWith = async (permission: Permission) => {
      const role = await givenRole(server(), { permissions: [{ name: permission }] });
      const { client } = await givenMember(server(), projectId, role.id);
      return (
        await client.call('POST /api/admin/projects/:projectId/environments/:environment/change-requests', {
          params: { projectId, environment },
          body,
        })
      ).status;
    };
    expect(await statusWith(other)).toBe(403);
    expect(await statusWith(needed)).toBe(200);
  });
});
