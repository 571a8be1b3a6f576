import { afterAll, afterEach } from 'vitest';
import { PostgresCluster } from './postgres-cluster.ts';
import { Scene } from './scene.ts';
import { postgresStorage, type Storage, sqliteStorage } from './storage.ts';

export const engines = ['sqlite', 'postgres'] as const;

export interface Fixtures {
  /** Runs `cleanUp` after the test. The last one added runs first. */
  onCleanUp(cleanUp: () => unknown): void;
  /** The PostgreSQL server that the tests of this file share. */
  cluster(): Promise<PostgresCluster>;
  /** Creates a storage that only this test uses: a directory, or a schema. */
  storage(engine: Storage['engine']): Promise<Storage>;
  /** Starts a server on `storage` and prepares it for load. */
  begin(storage: Storage, settings?: Readonly<Record<string, string>>): Promise<Scene>;
}

/**
 * Returns functions that create resources for the tests of a file, and stops the resources after the test or the file.
 */
export function useFixtures(): Fixtures {
  const cleanUps: (() => unknown)[] = [];
  let cluster: Promise<PostgresCluster> | undefined;
  let schemas = 0;
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });
  afterAll(async () => {
    await (await cluster)?.stop();
  });
  const fixtures: Fixtures = {
    onCleanUp: (cleanUp) => void cleanUps.push(cleanUp),
    cluster: () => {
      cluster ??= PostgresCluster.start();
      return cluster;
    },
    storage: async (engine) => {
      if (engine === 'postgres') return postgresStorage((await fixtures.cluster()).url, `durability_${++schemas}`);
      const storage = sqliteStorage();
      cleanUps.push(() => storage.remove());
      return storage;
    },
    begin: async (storage, settings) => {
      const scene = await Scene.begin(storage, settings);
      cleanUps.push(() => scene.end());
      return scene;
    },
  };
  return fixtures;
}
