import { givenEnabled, givenProject } from '#testing/flags.ts';
import { metricNamed, reportMetrics } from '#testing/impact-metrics.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import type { Scenario } from '#testing/scenario.ts';

export const safeguardStateScenarios: readonly Scenario[] = [
  {
    route: 'POST /api/admin/state/apply',
    name: 'replaces the safeguard of a flag by one of another metric',
    given: async (server) => {
      const params = await givenEnabled(server, await givenProject(server));
      const [old, added] = [metricNamed('errors_total'), metricNamed('errors_total')];
      const metrics = [old, added].map((name) => ({ name, samples: [{ value: 1 }] }));
      await reportMetrics(server, metrics, 'development');
      await setSafeguard(server, params, moreThan(10, `unleash_counter_${old}`));
      const safeguards = [moreThan(10, `unleash_counter_${added}`)];
      const flags = { [params.featureName]: { environments: { development: { safeguards } } } };
      return { body: { state: { version: 1, projects: { [params.projectId]: { flags } } } } };
    },
    answer: { changes: [{ type: 'safeguard-deleted' }, { type: 'safeguard-changed' }] },
    events: [
      { type: 'safeguard-deleted', environment: 'development' },
      { type: 'safeguard-changed', environment: 'development', data: { triggerCondition: { threshold: 10 } } },
    ],
  },
];
