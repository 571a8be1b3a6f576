import {
  environmentRoutes,
  featureArchiveRoutes,
  featureEnvironmentRoutes,
  featureRoutes,
  featureTagRoutes,
  projectRoutes,
  type RouteSpec,
  type Routes,
  strategyRoutes,
} from '@yardarm/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addStrategy, givenFlag, givenProject } from '#testing/flags.ts';
import { expectProblem } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const table = Object.entries({
  ...projectRoutes,
  ...environmentRoutes,
  ...featureRoutes,
  ...featureArchiveRoutes,
  ...featureEnvironmentRoutes,
  ...featureTagRoutes,
  ...strategyRoutes,
}) as [keyof Routes, RouteSpec][];

/** Words of valid bodies, so that some random bodies pass the first checks. */
const words = fc.constantFrom(
  ...['name', 'id', 'type', 'release', 'values', 'value', 'operator', 'REGEX', 'contextName', 'features', 'enabled'],
  ...[
    'parameters',
    'constraints',
    'variants',
    'op',
    'path',
    'add',
    '/parameters',
    '/-',
    'flexibleRollout',
    '__proto__',
  ],
);
const text = fc.oneof(words, fc.string({ unit: 'binary' }), fc.constantFrom('', '\0', '.', '..', '%', '/', '*'));
// Clients resolve `.` and `..` before sending, which would request another path.
const segment = text.filter((value) => value !== '.' && value !== '..');
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double(),
    fc.constantFrom(null, true, -1, 2 ** 53, 1e308),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
})).value;

describe('routes with random input', () => {
  const server = useServer();

  it.each(table)('%s never answers 5xx, and explains every 4xx', async (route, spec) => {
    const projectId = await givenProject(server());
    const flag = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
    const good: Record<string, string> = {
      ...flag,
      strategyId: await addStrategy(server(), flag, { name: 'flexibleRollout' }),
    };
    const names = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    const params = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.oneof(fc.constant(good[name] ?? 'x'), segment)])),
    );
    await fc.assert(
      fc.asyncProperty(params, spec.body === undefined ? fc.constant(undefined) : json, async (given, body) => {
        const reply = await server().admin.call(route, { params: given, ...(spec.body === undefined ? {} : { body }) });
        expect(reply.status, reply.text).toBeLessThan(500);
        if (reply.status >= 400) expectProblem(reply);
      }),
      { numRuns: 25 },
    );
  });
});
