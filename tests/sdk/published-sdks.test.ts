import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  addStrategy,
  type FlagEnvironmentParams,
  freshName,
  givenEnabled,
  givenFlag,
  givenFlagIn,
  givenProject,
} from '../../apps/server/testing/flags.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import { TestStream } from '../../apps/server/testing/test-stream.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { type PublishedSdk, publishedSdks } from './published-sdks.ts';
import { useScene } from './scene.ts';
import { fieldPaths, type Reading, readShape, type Shape } from './shape.ts';

const payload = { type: 'string', value: '#00f' };
const variants = [
  { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'userId', payload },
  { name: 'green', weight: 500, weightType: 'variable', stickiness: 'userId' },
];
const constraints = [
  { contextName: 'userId', operator: 'IN', values: ['ann'], inverted: true },
  { contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'], caseInsensitive: true },
  { contextName: 'age', operator: 'NUM_GTE', value: '18' },
  { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00.000Z' },
  { contextName: 'version', operator: 'SEMVER_GT', value: '1.2.3' },
];

const ofSegment = (country: string) => [
  { contextName: 'country', operator: 'IN', values: [country] },
  { contextName: 'age', operator: 'NUM_LT', value: '99' },
];

describe.each(publishedSdks)('the published source of $name $version', (sdk) => {
  const scene = useScene();
  let flag: FlagEnvironmentParams;
  let secret: string;
  let segment: { readonly id: number; readonly name: string };
  const streams: TestStream[] = [];
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  /** Creates flags that together have every field that an SDK can receive. */
  beforeAll(async () => {
    const { server } = scene;
    const projectId = await givenProject(server);
    const { featureName } = await givenFlag(server, { description: 'All of it', impressionData: true }, projectId);
    flag = { projectId, featureName, environment: 'development' };
    segment = await givenSegment(server, { constraints: ofSegment('NO') });
    const parameters = { rollout: '50', stickiness: 'userId', groupId: 'all' };
    await addStrategy(server, flag, {
      name: 'flexibleRollout',
      parameters,
      constraints,
      variants,
      segments: [segment.id],
    });
    const special = { name: 'special', weight: 0, weightType: 'fix' };
    const body = [...variants, { ...special, overrides: [{ contextName: 'userId', values: ['ann'] }] }];
    const ofFlag = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants';
    expect((await server.admin.call(ofFlag, { params: flag, body })).status).toBe(200);
    await scene.switchFlag(flag, 'on');
    const child = await givenFlag(server, {}, projectId);
    const dependencies = 'POST /api/admin/projects/:projectId/features/:featureName/dependencies';
    const dependency = { feature: flag.featureName, enabled: true, variants: ['blue'] };
    expect((await server.admin.call(dependencies, { params: child, body: dependency })).status).toBe(200);
    secret = (await givenToken(server)).secret;
  });

  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    scene.server.client(secret).call('GET /api/client/features', { headers: { ...sdk.sends, ...headers } });

  /** Opens a stream, makes changes that cause events of all types, and returns the events of the stream. */
  async function readStream(): Promise<{ readonly type: string }[]> {
    const { server } = scene;
    const removed = await givenFlagIn(server);
    const unused = await givenSegment(server);
    const strategyId = await addStrategy(server, removed, { name: 'default', segments: [unused.id] });
    const authorization = (await givenToken(server)).secret;
    const stream = await TestStream.open(`${server.url}/api/client/streaming`, { ...sdk.sends, authorization });
    streams.push(stream);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const first = await stream.next();
    expect(first?.event).toBe('unleash-connected');
    const { id, name } = segment;
    const body = { name, constraints: ofSegment('SE') };
    expect((await server.admin.call('PUT /api/admin/segments/:id', { params: { id }, body })).status).toBe(204);
    await scene.switchFlag(flag, 'off');
    await scene.switchFlag(flag, 'on');
    const ofFlag = '/api/admin/projects/:projectId/features/:featureName';
    const params = { ...removed, strategyId };
    await server.admin.call(`DELETE ${ofFlag}/environments/:environment/strategies/:strategyId`, { params });
    await server.admin.call('DELETE /api/admin/segments/:id', { params: { id: unused.id } });
    await server.admin.call(`DELETE ${ofFlag}`, { params: removed });
    const received: { readonly type: string }[] = [...(first?.data.events ?? [])];
    while (!received.some(({ type }) => type === 'feature-removed')) {
      const message = await stream.next();
      expect(message?.event).toBe('unleash-updated');
      received.push(...(message?.data.events ?? []));
    }
    return received;
  }

  it('finds each field that it reads, of its type, in the answer to a poll', async () => {
    const { status, json } = await ask();
    expect(status).toBe(200);
    expectShape(sdk, sdk.features, 'answer', [json]);
  });

  it('finds the headers that it reads in that answer', async () => {
    const { headers } = await ask();
    for (const [name, form] of Object.entries(sdk.headers)) {
      expect([name, headers.get(name)]).toEqual([name, form === null ? null : expect.stringMatching(form)]);
    }
    const etag = headers.get('etag') ?? '';
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
  });

  if (sdk.events !== undefined) {
    const { events } = sdk;
    it('finds each field that it reads, of its type, in the messages of a stream', async () => {
      const received = await readStream();
      for (const [type, shape] of Object.entries(events)) {
        const ofType = received.filter((event) => event.type === type);
        // A `feature-updated` event has only the current flag, which need not have all fields. The first event of the
        // stream has flags with all fields.
        if (type === 'feature-updated') expectTypes(shape, type, ofType);
        else expectShape(sdk, shape, type, ofType);
      }
    });
  }

  it('gets the statuses that it expects for registration and metrics', async () => {
    const { featureName } = await givenEnabled(scene.server);
    const appName = freshName('published');
    const client = scene.server.client(secret);
    const named = { appName, instanceId: 'i0' };
    const headers = sdk.sends;
    const registered = await client.call('POST /api/client/register', {
      body: { ...named, ...sdk.registers.body },
      headers,
    });
    expect(sdk.registers.success).toContain(registered.status);
    const body = { ...named, ...sdk.counts.body(featureName) };
    const counted = await client.call('POST /api/client/metrics', { body, headers });
    expect(sdk.counts.success).toContain(counted.status);
    const params = { projectId: 'default', featureName, environment: 'development' };
    expect(await scene.countsOf(params)).toMatchObject([{ appName, yes: 3, no: 1 }]);
    const { sdkVersion } = sdk.registers.body as { sdkVersion: string };
    expect(await scene.application(appName)).toMatchObject({ sdkVersion, strategies: ['default', 'flexibleRollout'] });
  });
});

/** Expects that values match a shape, and that together they have each of its fields except those in `notServed`. */
function expectShape(sdk: PublishedSdk, shape: Shape, name: string, values: readonly unknown[]): void {
  const { served } = expectTypes(shape, name, values);
  const missing = fieldPaths(shape, name).filter((path) => !served.has(path));
  const ofFeatures = `${name}.features[].`;
  const hasFeatures = fieldPaths(shape, name).some((path) => path.startsWith(ofFeatures));
  const known = hasFeatures ? sdk.notServed.map((path) => ofFeatures + path) : [];
  expect(missing.sort()).toEqual([...known].sort());
}

function expectTypes(shape: Shape, name: string, values: readonly unknown[]): Reading {
  const reading: Reading = { served: new Set(), problems: [] };
  expect(values).not.toHaveLength(0);
  for (const value of values) readShape(shape, value, name, reading);
  expect(reading.problems).toEqual([]);
  return reading;
}
