import { describe, expect, it } from 'vitest';
import { freshName, givenProject } from '#testing/flags.ts';
import { errorsBelow, metricNamed, reportErrors, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { moreThan } from '#testing/safeguards.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();

/** Returns the members as they are, or in the opposite order. */
type InOrder = <T>(members: readonly T[]) => readonly T[];

interface Used {
  /** The later segment in the alphabet first, so that ids and names have different orders. */
  readonly segments: readonly [string, string];
  readonly metrics: readonly [string, string];
}

async function givenUsed(): Promise<Used> {
  startMinute(server());
  await reportErrors(server(), 0);
  const names = [metricNamed('errors_total'), metricNamed('requests_total')] as const;
  const samples = [{ value: 0 }];
  await reportMetrics(
    server(),
    names.map((name) => ({ name, samples })),
    'development',
  );
  const last = await givenSegment(server(), { name: freshName('z') });
  const first = await givenSegment(server(), { name: freshName('a') });
  return {
    segments: [last.name, first.name],
    metrics: [`unleash_counter_${names[0]}`, `unleash_counter_${names[1]}`],
  };
}

/** Returns a flag whose lists without an order of their own, and whose keys, are in the given order. */
function flagInOrder({ segments, metrics }: Used, ordered: InOrder) {
  const object = <T>(members: Record<string, T>) => Object.fromEntries(ordered(Object.entries(members)));
  const labelSelectors = object({ environment: ['development'], appName: ['shop'] });
  const strategy = {
    name: 'flexibleRollout',
    parameters: object({ rollout: '10', stickiness: 'userId', groupId: 'shared' }),
    segments: ordered(segments),
  };
  const { impactMetric, condition } = errorsBelow(5);
  const gate = { impactMetric: { ...impactMetric, labelSelectors }, condition };
  const safeguards = ordered(
    metrics.map((name) =>
      moreThan(10, name, { labelSelectors, dividedBy: { metricName: metrics[0], labelSelectors } }),
    ),
  );
  return object<unknown>({
    type: 'experiment',
    description: 'Two orders',
    tags: ordered(['simple:first', 'simple:second']),
    links: ordered(['https://example.com/b', { url: 'https://example.com/a', title: 'A' }]),
    environments: object({
      production: { enabled: false, strategies: [object(strategy)] },
      development: object<unknown>({
        enabled: true,
        releasePlan: {
          name: 'In steps',
          milestones: [
            { name: 'Some', transitionCondition: { intervalMinutes: 60, metric: gate }, strategies: [strategy] },
            { name: 'All', strategies: [{ name: 'default' }] },
          ],
          safeguards,
        },
        safeguards,
      }),
    }),
  });
}

/** Creates the flag by a state, and returns its text in the state of its project. */
async function textOf(flag: object): Promise<string> {
  const [project, name] = [await givenProject(server()), freshName('flag')];
  const state = { version: 1, projects: { [project]: { flags: { [name]: flag } } } };
  const applied = await server().admin.call('POST /api/admin/state/apply', { body: { state } });
  expect(applied.status, applied.text).toBe(200);
  const pulled = await server().admin.call('GET /api/admin/state', { query: { projects: project } });
  return JSON.stringify(pulled.json.projects?.[project]?.flags?.[name]);
}

describe('the text of a flag', () => {
  it('is the same for equal flags that were written in different orders', async () => {
    const used = await givenUsed();
    const written = await textOf(flagInOrder(used, (members) => members));
    const reversed = await textOf(flagInOrder(used, (members) => members.toReversed()));
    expect(reversed).toBe(written);
    expect(JSON.parse(written).environments.production.strategies[0].segments).toEqual(used.segments.toReversed());
  });
});
