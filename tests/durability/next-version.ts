import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tablesInOrder } from '../../apps/server/src/storage/backup/table-order.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Changes that the migration of a version may make while processes of the version before are running: they only add.
 */
export const additions: readonly string[] = [
  ...tablesInOrder.map((table) => `alter table ${table} add column of_the_next_version text`),
  'create table of_the_next_version (id bigint primary key)',
  'create index of_the_next_version_signals on signals (of_the_next_version)',
];

/** A copy of this version with one more migration, like the next version may have. */
export interface NextVersion {
  /** The path of its program. */
  readonly program: string;
  /** The name of its migration. */
  readonly migration: string;
  remove(): Promise<void>;
}

/** Makes the program of a next version, whose migration runs `statements` on PostgreSQL. */
export async function makeNextVersion(statements: readonly string[]): Promise<NextVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'yardarm-next-version-'));
  const server = join(folder, 'apps', 'server');
  await cp(join(root, 'apps', 'server', 'bin'), join(server, 'bin'), { recursive: true });
  await cp(join(root, 'apps', 'server', 'src'), join(server, 'src'), { recursive: true });
  await cp(join(root, 'apps', 'server', 'package.json'), join(server, 'package.json'));
  await symlink(join(root, 'apps', 'server', 'node_modules'), join(server, 'node_modules'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await symlink(join(root, 'package.json'), join(folder, 'package.json'));
  const list = join(server, 'src', 'storage', 'migrations', 'migrations.ts');
  const migration = '9999-of-the-next-version';
  const before = await readFile(list, 'utf8');
  const after = before.replace(/^};$/m, `  '${migration}': () => ${JSON.stringify(statements)},\n};`);
  if (after === before) throw new Error(`${list} has no end of the list of migrations`);
  await writeFile(list, after);
  return {
    program: join(server, 'bin', 'yardarm.js'),
    migration,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
