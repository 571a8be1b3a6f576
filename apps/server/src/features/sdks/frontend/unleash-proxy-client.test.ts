import { EVENTS, InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client';
import { describe, expect, it } from 'vitest';
import { addStrategy, givenEnabled, givenFlagIn } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

describe('the official SDK for browsers', () => {
  const server = useServer();

  /** Starts a client that polls only when called, and records the status of each answer. */
  async function startClient(more: object = {}) {
    const { secret } = await givenToken(server(), { type: 'frontend' });
    const statuses: string[] = [];
    const errors: unknown[] = [];
    const client = new UnleashClient({
      url: `${server().url}/api/frontend`,
      clientKey: secret,
      appName: 'a page',
      disableRefresh: true,
      storageProvider: new InMemoryStorageProvider(),
      fetch: async (url: URL | string, options: RequestInit) => {
        const response = await fetch(url, options);
        statuses.push(`${options.method ?? 'GET'} ${new URL(url).pathname} ${response.status}`);
        return response;
      },
      ...more,
    });
    client.on(EVENTS.ERROR, (error: unknown) => errors.push(error));
    await client.start();
    return { client, statuses, errors };
  }

  it.each(['GET', 'POST'])('synchronizes by %s, gets 304 after that, and receives a switched flag', async (method) => {
    const params = await givenEnabled(server());
    const { client, statuses, errors } = await startClient({
      disableMetrics: true,
      usePOSTrequests: method === 'POST',
    });
    expect(client.isReady()).toBe(true);
    expect(client.isEnabled(params.featureName)).toBe(true);
    expect(client.isEnabled('nothing')).toBe(false);
    await client.updateToggles();
    expect(client.isEnabled(params.featureName)).toBe(true);

    await server().admin.call(`POST ${environment}/off`, { params });
    await client.updateToggles();
    expect(client.isEnabled(params.featureName)).toBe(false);
    expect(statuses).toEqual([200, 304, 200].map((status) => `${method} /api/frontend ${status}`));
    expect(errors).toEqual([]);
    client.stop();
  });

  it('gets variants, and re-evaluates for another user', async () => {
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, {
      name: 'userWithId',
      parameters: { userIds: 'ann' },
      variants: [
        {
          name: 'blue',
          weight: 1000,
          weightType: 'variable',
          stickiness: 'default',
          payload: { type: 'string', value: '#00f' },
        },
      ],
    });
    await server().admin.call(`POST ${environment}/on`, { params });
    const { client, errors } = await startClient({
      disableMetrics: true,
      context: { userId: 'bob', properties: { plan: 'pro' } },
    });
    expect(client.isEnabled(params.featureName)).toBe(false);
    await client.updateContext({ userId: 'ann' });
    expect(client.getVariant(params.featureName)).toMatchObject({
      name: 'blue',
      enabled: true,
      feature_enabled: true,
      payload: { type: 'string', value: '#00f' },
    });
    expect(errors).toEqual([]);
    client.stop();
  });

  it('reports evaluations, and they are counted', async () => {
    const params = await givenEnabled(server());
    const { client, statuses, errors } = await startClient({ metricsInterval: 3600, metricsIntervalInitial: 3600 });
    for (let n = 0; n < 3; n++) client.isEnabled(params.featureName);
    await (client as unknown as { metrics: { sendMetrics(): Promise<void> } }).metrics.sendMetrics();
    expect(statuses.at(-1)).toBe('POST /api/frontend/client/metrics 200');
    expect(errors).toEqual([]);
    client.stop();
    await server().app.service.usage.flush();
    const { json } = await server().admin.call('GET /api/admin/client-metrics/features/:name/raw', {
      params: { name: params.featureName },
    });
    expect(json.data).toMatchObject([{ appName: 'a page', environment: 'development', yes: 3, no: 0 }]);
  });
});
