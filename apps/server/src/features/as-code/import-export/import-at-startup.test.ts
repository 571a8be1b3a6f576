import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenFlag } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';

describe('IMPORT_FILE at the first start', () => {
  let storage: TestStorage;
  let directory: string;
  let file: string;
  beforeEach(async () => {
    storage = await createStorage();
    directory = await mkdtemp(join(tmpdir(), 'yardarm-import-'));
    file = join(directory, 'export.json');
  });
  afterEach(async () => {
    await storage.remove();
    await rm(directory, { recursive: true });
  });

  /** Starts a server with the file, runs `work`, and stops the server. */
  async function started<T>(settings: object, work: (server: TestServer) => Promise<T>): Promise<T> {
    const server = await startServer(storage, { initAdminTokens: ['*:*.the-same-again'], ...settings });
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  }

  const write = (...names: string[]) =>
    writeFile(
      file,
      JSON.stringify({
        features: names.map((name) => ({ name })),
        featureEnvironments: names.map((featureName) => ({ featureName, enabled: true })),
      }),
    );
  const flagsOf = async ({ admin }: TestServer) => {
    const { json } = await admin.call('GET /api/admin/projects/:projectId/features', {
      params: { projectId: 'default' },
    });
    return json.features.map(({ name }: { name: string }) => name);
  };

  it('is imported once, and later changes of users stay', async () => {
    await write('first', 'second');
    const types = await started({ importFile: file }, async (server) => {
      expect(await flagsOf(server)).toEqual(['first', 'second']);
      const { json } = await server.admin.call('GET /api/admin/projects/:projectId/features/:featureName', {
        params: { projectId: 'default', featureName: 'first' },
      });
      const on = json.environments.filter(({ enabled }: { enabled: boolean }) => enabled);
      expect(on.map(({ name }: { name: string }) => name)).toEqual(['development']);
      const params = { projectId: 'default', featureName: 'second' };
      await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
      return (await eventsAfter(server, 0)).map(({ type }) => type);
    });
    expect(types).toEqual(expect.arrayContaining(['feature-created', 'features-imported', 'setting-created']));
    await write('first', 'second', 'third');
    await started({ importFile: file }, async (server) => expect(await flagsOf(server)).toEqual(['first']));
    await rm(file);
    await started({ importFile: file, importEnvironment: 'development' }, async () => undefined);
  });

  it('does not change existing flags', async () => {
    const before = await started({}, async (server) => {
      await givenFlag(server, { name: 'mine', type: 'kill-switch' });
      return lastEventId(server);
    });
    await write('mine', 'theirs');
    await started({ importFile: file, importEnvironment: 'production' }, async (server) => {
      expect(await flagsOf(server)).toEqual(['mine', 'theirs']);
      expect((await eventsAfter(server, before)).map(({ featureName }) => featureName)).not.toContain('mine');
    });
  });

  it('may be YAML, as files of the former state API', async () => {
    const yaml = join(directory, 'flags.yml');
    await writeFile(
      yaml,
      'version: 1\nfeatures:\n  - name: from-yaml\n    enabled: true\n    strategies: [{name: default}]\n',
    );
    await started({ importFile: yaml }, async (server) => expect(await flagsOf(server)).toEqual(['from-yaml']));
    await writeFile(yaml, 'features: [');
    const start = started({ importFile: yaml, importEnvironment: 'production' }, async () => undefined);
    await expect(start).rejects.toThrow(/flags\.yml cannot be imported/);
  });

  it('stops the start with the reason when it cannot be imported', async () => {
    const start = (settings: object) => started(settings, async () => undefined);
    await expect(start({ importFile: file })).rejects.toThrow(/IMPORT_FILE .*export\.json cannot be imported.*ENOENT/);
    await writeFile(file, '{"features": [{"name": "not a name"}]}');
    await expect(start({ importFile: file })).rejects.toThrow(/features\.0\.name/);
    await write('fine');
    await expect(start({ importFile: file, importProject: 'nowhere' })).rejects.toThrow(/no project nowhere/);
    await start({ importFile: file });
  });
});
