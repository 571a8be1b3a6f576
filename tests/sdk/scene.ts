import { afterAll, beforeAll, expect } from 'vitest';
import type { Config } from '../../apps/server/src/config/settings.ts';
import type { FlagEnvironmentParams } from '../../apps/server/testing/flags.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '../../apps/server/testing/server.ts';
import { Relay } from './relay.ts';

/** A server and the relay through which SDKs reach it. */
export class Scene {
  readonly relay = new Relay(() => this.server.url);
  readonly #settings: Partial<Config>;
  #storage: TestStorage | undefined;
  #server: TestServer | undefined;

  constructor(settings: Partial<Config>) {
    this.#settings = { initAdminTokens: ['*:*.the-same-after-a-restart'], ...settings };
  }

  private get storage(): TestStorage {
    if (this.#storage === undefined) throw new Error('the scene has not begun');
    return this.#storage;
  }

  get server(): TestServer {
    if (this.#server === undefined) throw new Error('the server has not been started');
    return this.#server;
  }

  async begin(): Promise<void> {
    await this.relay.open();
    this.#storage = await createStorage();
    this.#server = await startServer(this.#storage, this.#settings);
  }

  /** Stops the server, runs `meanwhile`, and starts another server on the same data. */
  async restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.server.stop();
    await meanwhile();
    this.#server = await startServer(this.storage, this.#settings);
  }

  async end(): Promise<void> {
    await this.relay.close();
    await this.#server?.stop();
    await this.#storage?.remove();
  }

  async switchFlag(params: FlagEnvironmentParams, state: 'on' | 'off'): Promise<void> {
    const route =
      `POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/${state}` as const;
    expect((await this.server.admin.call(route, { params })).status).toBe(200);
  }

  /** Returns how often a flag has been evaluated, by application and hour. */
  async countsOf({ featureName: name }: FlagEnvironmentParams): Promise<object[]> {
    await this.server.app.service.usage.flush();
    const route = 'GET /api/admin/client-metrics/features/:name/raw';
    const { json } = await this.server.admin.call(route, { params: { name } });
    return json.data;
  }

  /** Returns an application with the names of its strategies; undefined if the server does not know the application. */
  async application(
    appName: string,
  ): Promise<{ readonly sdkVersion?: string; readonly strategies: readonly string[] } | undefined> {
    await this.server.app.service.usage.flush();
    const reply = await this.server.admin.call('GET /api/admin/metrics/applications/:appName', { params: { appName } });
    if (reply.status === 404) return undefined;
    const { sdkVersion, strategies } = reply.json;
    return { sdkVersion, strategies: strategies.map(({ name }: { name: string }) => name) };
  }
}

/** Creates a {@link Scene}, which begins before the tests of a file and ends after them. */
export function useScene(settings: Partial<Config> = {}): Scene {
  const scene = new Scene(settings);
  beforeAll(() => scene.begin());
  afterAll(() => scene.end());
  return scene;
}
