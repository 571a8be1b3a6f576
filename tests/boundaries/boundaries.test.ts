import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ICruiseResult, IViolation } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import rules from '../../.dependency-cruiser.js';
import { build, cleanHouse, type Files } from './house.ts';
import { type Plant, plants } from './plants.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const cruiser = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const roots: string[] = [];

/** Builds a repository of these files and checks it with the command that `npm run check:boundaries` uses. */
async function check(files: Files): Promise<ICruiseResult> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'yardarm-boundaries-')));
  roots.push(root);
  build(root, files);
  const command = [cruiser, '--config', join(repository, '.dependency-cruiser.js'), '--output-type', 'json'];
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, timeout: 60_000 };
  return await new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...command, 'apps', 'packages', 'bench', 'examples', 'tests'],
      options,
      (error, stdout, stderr) => {
        // With --output-type json, breaches do not change the exit code 0: an error is a failure of the check itself.
        if (error) reject(new Error(`dependency-cruiser failed: ${stderr}`, { cause: error }));
        else resolve(JSON.parse(stdout));
      },
    );
  });
}

/**
 * Returns whether the violation lies in the plant: in one of its files or, for a rule about folders, in their folder.
 */
function isIn(plant: Plant, violation: IViolation): boolean {
  return Object.keys(plant.files).some((file) => file === violation.from || file.startsWith(`${violation.from}/`));
}

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

describe('the boundary check', () => {
  let planted: readonly IViolation[];

  beforeAll(async () => {
    const files = Object.assign({}, cleanHouse, ...plants.map((plant) => plant.files));
    planted = (await check(files)).summary.violations;
  });

  test.for(plants)('$rule: it catches $what', (plant) => {
    const fired = planted.filter((violation) => isIn(plant, violation)).map((violation) => violation.rule.name);
    expect([...new Set(fired)]).toEqual([plant.rule]);
  });

  test('it finds only the planted breaches', () => {
    expect(planted.filter((violation) => !plants.some((plant) => isIn(plant, violation)))).toEqual([]);
  });

  test('every plant has its own files', () => {
    const paths = [cleanHouse, ...plants.map((plant) => plant.files)].flatMap((files) => Object.keys(files));
    expect(paths).toHaveLength(new Set(paths).size);
  });

  test('every rule is planted, has a reason, and stops the check', () => {
    expect([...new Set(plants.map((plant) => plant.rule))].sort()).toEqual(
      rules.forbidden.map((rule) => rule.name).sort(),
    );
    for (const rule of rules.forbidden)
      expect(rule).toMatchObject({ severity: 'error', comment: expect.stringMatching(/.{40}/) });
  });

  test('it accepts a repository that keeps the rules, and reads all its imports', async () => {
    const { summary, modules } = await check(cleanHouse);
    expect(summary.violations).toEqual([]);
    const read = Object.fromEntries(modules.map((module) => [module.source, module.dependencies.length]));
    expect(read).toMatchObject({
      'apps/server/src/app/start.ts': 4,
      'apps/server/src/storage/database.ts': 3,
      'apps/server/src/kernel/ids.test.ts': 3,
      'packages/contract/src/index.ts': 2,
      'apps/admin/src/page.ts': 2,
      'apps/admin/src/features/pages/page.ts': 3,
    });
  });
});
