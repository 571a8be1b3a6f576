import { describe, expect, it } from 'vitest';
import { type FlagEnvironmentParams, givenEnabled } from '#testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, inThreeSteps, passMinutes, servedPercentages } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const override =
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';

type Guarded = { readonly flag: FlagEnvironmentParams; readonly name: string };

async function givenMetric(): Promise<string> {
  const name = metricNamed('failed');
  startMinute(server());
  await reportMetrics(server(), [{ name, samples: [{ value: 0 }] }], 'development');
  return name;
}

/** The safeguards that regard overrides: those that do not pause a plan. */
const guarded: readonly (readonly [string, () => Promise<Guarded>])[] = [
  [
    'switches its flag off',
    async () => {
      const [name, flag] = [await givenMetric(), await givenEnabled(server())];
      await setSafeguard(server(), flag, moreThan(10, `unleash_counter_${name}`));
      return { name, flag };
    },
  ],
  [
    'holds the flag of its plan',
    async () => {
      const name = await givenMetric();
      const { params } = await givenPlan(server(), inThreeSteps);
      await setSafeguard(server(), params, { ...moreThan(10, `unleash_counter_${name}`), holdAt: 'off' });
      return { name, flag: params };
    },
  ],
];

/** Places of an override, of which only the first is the place of the safeguard. */
const places = [
  ['its own place', false, async (flag: FlagEnvironmentParams) => flag],
  ['another environment', true, async (flag: FlagEnvironmentParams) => ({ ...flag, environment: 'production' })],
  ['another flag', true, async ({ projectId }: FlagEnvironmentParams) => givenEnabled(server(), projectId)],
  ['a flag of another project', true, async () => givenEnabled(server())],
] as const;

describe.each(guarded)('a safeguard that %s', (_what, given) => {
  it.each(places)('with an override in %s stops it: %s', async (_where, stops, placeOf) => {
    const { name, flag } = await given();
    const { projectId, featureName, environment } = await placeOf(flag);
    const params = { projectId, featureName, environment };
    expect((await server().admin.call(override, { params, body: { reason: 'Ours' } })).status).toBe(200);
    for (let minute = 0; minute < 2; minute++) {
      await reportMetrics(server(), [{ name, samples: [{ value: 20 }] }], 'development');
      await passMinutes(server(), 1);
    }
    const [{ status }] = await safeguardsOf(server(), flag);
    const isServed = (await servedPercentages(server(), flag)) !== undefined;
    expect({ isServed, state: status.state }).toEqual({ isServed: !stops, state: stops ? 'triggered' : 'crossed' });
  });
});
