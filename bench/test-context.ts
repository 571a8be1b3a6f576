import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScenarioContext } from './scenario.ts';

/** Returns the context of a smoke run, for a test; on PostgreSQL when the suite runs there. */
export async function testContext(): Promise<ScenarioContext & AsyncDisposable> {
  const databaseUrl = process.env.DATABASE_URL;
  const workDir = await mkdtemp(join(tmpdir(), 'yardarm-bench-'));
  return {
    engine: databaseUrl === undefined ? 'sqlite' : 'postgres',
    databaseUrl,
    smoke: true,
    rounds: 1,
    workDir,
    ms: (full) => Math.min(full, 100),
    count: (full) => Math.min(full, 10),
    say: () => undefined,
    [Symbol.asyncDispose]: () => rm(workDir, { recursive: true }),
  };
}
