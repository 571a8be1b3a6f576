import { describe, expect, it } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { systemScenarios } from './system.scenarios.ts';

describe('system routes', () => {
  const server = useServer();
  testScenarios(server, systemScenarios);

  it('describes exactly the routes that exist', async () => {
    const { paths } = (await server().anonymous.call('GET /docs/openapi.json')).json;
    const ids = Object.values(paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('below a base path', () => {
  const server = useServer({ basePath: '/flags' });

  it('serves all routes there and none above', async () => {
    expect((await server().anonymous.call('GET /health')).status).toBe(200);
    const above = await fetch(server().url.replace(/\/flags$/, '/health'));
    expect(above.status).toBe(404);
    expect(await above.json()).toMatchObject({ name: 'NotFoundError' });
  });

  it('ignores duplicate and trailing slashes', async () => {
    expect((await server().anonymous.request('GET', '//health/')).status).toBe(200);
  });
});

describe('stopping', () => {
  it('answers 503 at /ready first, and still serves requests', async () => {
    const storage = await createStorage();
    const server = await startServer(storage, { shutdownDelayMs: 500 });
    const stopped = server.stop();
    const ready = await server.anonymous.call('GET /ready');
    expect(ready.status).toBe(503);
    expect((await server.admin.call('GET /api/admin/projects')).status).toBe(200);
    await stopped;
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    await storage.remove();
  });

  it('closes the port and the database, so that the next server can use them', async () => {
    const storage = await createStorage();
    const first = await startServer(storage);
    await first.stop();
    await expect(fetch(`${first.url}/health`)).rejects.toThrow();
    const second = await startServer(storage);
    expect((await second.anonymous.call('GET /ready')).status).toBe(200);
    await second.stop();
    await storage.remove();
  });
});
