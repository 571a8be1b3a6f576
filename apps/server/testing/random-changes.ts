import * as fc from 'fast-check';
import { itemAt } from '#kernel/lists.ts';
import type { GivenSegment } from './segments.ts';
import type { TestServer } from './server.ts';

/** One change by an administrator; `flag` is the index of a flag. */
export interface Step {
  readonly what: (typeof changes)[number];
  readonly flag: number;
  readonly environment: 'development' | 'production';
  readonly n: number;
}

const changes = [
  'create',
  'on',
  'off',
  'add',
  'segment',
  'segments',
  'remove',
  'disable',
  'describe',
  'tag',
  'depend',
  'undepend',
  'vary',
  'move',
  'archive',
  'revive',
  'delete',
] as const;
/** Generates random steps. */
export const randomStep = fc.record<Step>({
  what: fc.constantFrom(...changes),
  flag: fc.nat(3),
  environment: fc.constantFrom('development' as const, 'production' as const),
  n: fc.nat(100),
});

/** Makes a change through the admin API. Ignores a refusal, because a refused change changes nothing. */
export async function takeStep(
  { admin }: TestServer,
  names: readonly string[],
  projects: readonly string[],
  segments: readonly GivenSegment[],
  change: Step,
) {
  const featureName = itemAt(names, change.flag);
  const projectId = projects[change.flag % 2] as string;
  const flag = `/api/admin/projects/${projectId}/features/${featureName}`;
  const there = `${flag}/environments/${change.environment}`;
  const send = (method: string, path: string, body?: object) => admin.request(method, path, { body });
  const strategy = async () => (await send('GET', `${there}/strategies`)).json[0]?.id ?? 'none';
  const steps: Record<Step['what'], () => Promise<unknown>> = {
    create: () => send('POST', `/api/admin/projects/${projectId}/features`, { name: featureName }),
    on: () => send('POST', `${there}/on`),
    off: () => send('POST', `${there}/off`),
    add: () =>
      send('POST', `${there}/strategies`, { name: 'flexibleRollout', parameters: { rollout: String(change.n) } }),
    segment: () => {
      const { id, name } = segments[change.flag % 2] as GivenSegment;
      const constraints = [{ contextName: 'n', operator: 'IN', values: [String(change.n)] }];
      return send('PUT', `/api/admin/segments/${id}`, { name, constraints });
    },
    segments: async () =>
      send('POST', '/api/admin/segments/strategies', {
        projectId,
        environmentId: change.environment,
        strategyId: await strategy(),
        segmentIds: segments.slice(0, change.n % 3).map(({ id }) => id),
      }),
    remove: async () => send('DELETE', `${there}/strategies/${await strategy()}`),
    disable: async () =>
      send('PATCH', `${there}/strategies/${await strategy()}`, [
        { op: 'replace', path: '/disabled', value: change.n % 2 === 0 },
      ]),
    describe: () => send('PUT', flag, { description: `"${change.n}"`, impressionData: change.n % 2 === 0 }),
    tag: () =>
      send('POST', `/api/admin/features/${featureName}/tags`, { type: 'simple', value: `tag-${change.n % 2}` }),
    depend: () =>
      send('POST', `${flag}/dependencies`, {
        feature: names[(change.flag + 2) % 4],
        enabled: change.n % 3 > 0,
        variants: change.n % 2 === 0 ? [] : [`variant-${change.n}`],
      }),
    vary: () => send('PUT', `${there}/variants`, change.n % 3 === 0 ? [] : [{ name: `v-${change.n}`, weight: 1000 }]),
    move: () => send('POST', `${flag}/changeProject`, { newProjectId: projects[change.n % 2] }),
    undepend: () => send('DELETE', `${flag}/dependencies`),
    archive: () => send('DELETE', flag),
    revive: () => send('POST', `/api/admin/archive/revive/${featureName}`),
    delete: () => send('DELETE', `/api/admin/archive/${featureName}`),
  };
  await steps[change.what]();
}
