import { subjects } from '../../build/subjects.js';
import type { Files } from './house.ts';

/** A breach of one rule. Its files are its own: no other plant and nothing in the clean house uses their paths. */
export interface Plant {
  readonly rule: string;
  /** Completes the sentence "it catches …". */
  readonly what: string;
  readonly files: Files;
}

const server = 'apps/server/src';
const features = `${server}/features/log`;
const admin = 'apps/admin/src';

/** At least one breach of every rule, and one for every known way to evade a rule. */
export const plants: readonly Plant[] = [
  {
    rule: 'no-circular',
    what: 'two modules that import each other',
    files: {
      [`${features}/rings/a.ts`]: `import { b } from './b.ts';\nexport const a = () => b;`,
      [`${features}/rings/b.ts`]: `import { a } from './a.ts';\nexport const b = () => a;`,
    },
  },
  {
    rule: 'no-circular',
    what: 'a cycle closed by a type alone',
    files: {
      [`${features}/types/a.ts`]: `import { b } from './b.ts';\nexport type A = number;\nexport const a = b;`,
      [`${features}/types/b.ts`]: `import type { A } from './a.ts';\nexport const b: A = 1;`,
    },
  },
  {
    rule: 'not-to-unresolvable',
    what: 'an import of a file that is not there',
    files: { [`${server}/jobs/lost.ts`]: `import { gone } from './gone.ts';\nexport const lost = gone;` },
  },
  {
    rule: 'kernel-imports-nothing',
    what: 'an npm package in the kernel',
    files: { [`${server}/kernel/log.ts`]: `import pino from 'pino';\nexport const log = pino;` },
  },
  {
    rule: 'kernel-imports-nothing',
    what: 'a type from another layer in the kernel',
    files: {
      [`${server}/kernel/actor.ts`]: `import type { port } from '#config/port.ts';\nexport type P = typeof port;`,
    },
  },
  ...['storage', 'http', 'jobs', 'observe', 'config'].map((layer) => ({
    rule: 'lower-layers-not-to-features',
    what: `a feature in ${layer}`,
    files: {
      [`${server}/${layer}/up.ts`]: `import { reveal } from '#features/signals/signals/index.ts';\nexport const up = reveal;`,
    },
  })),
  ...['sqlite', 'postgres', 'commit', 'backup', 'migrations'].map((folder) => ({
    rule: 'storage-shared-files-below-folders',
    what: `a file of storage/${folder} in a shared file of storage`,
    files: {
      [`${server}/storage/shared-${folder}.ts`]: `import { low } from './${folder}/shared.ts';\nexport const s = low;`,
      [`${server}/storage/${folder}/shared.ts`]: 'export const low = 1;',
    },
  })),
  ...['sqlite', 'postgres', 'backup'].map((folder) => ({
    rule: 'storage-commit-below-engines',
    what: `a file of storage/${folder} in storage/commit`,
    files: {
      [`${server}/storage/commit/with-${folder}.ts`]: `import { up } from '../${folder}/above.ts';\nexport const c = up;`,
      [`${server}/storage/${folder}/above.ts`]: 'export const up = 1;',
    },
  })),
  {
    rule: 'storage-engines-apart',
    what: 'PostgreSQL in SQLite',
    files: {
      [`${server}/storage/sqlite/borrows.ts`]: `import { lent } from '../postgres/lends.ts';\nexport const b = lent;`,
      [`${server}/storage/postgres/lends.ts`]: 'export const lent = 1;',
    },
  },
  ...['sqlite', 'postgres'].map((folder) => ({
    rule: 'storage-engines-below-backup',
    what: `a type of storage/backup in storage/${folder}`,
    files: {
      [`${server}/storage/${folder}/backed-up.ts`]: `import type { B } from '../backup/of-${folder}.ts';\nexport type T = B;`,
      [`${server}/storage/backup/of-${folder}.ts`]: 'export type B = number;',
    },
  })),
  ...['storage', 'http', 'jobs', 'observe', 'config', 'features/log/climbs'].map((part) => ({
    rule: 'only-app-knows-app',
    what: `the composition root in ${part}`,
    files: {
      [`${server}/${part}/start.ts`]: `import { start } from '#app/start.ts';\nstart();`,
    },
  })),
  {
    rule: 'only-app-knows-app',
    what: 'the command line in a feature',
    files: { [`${features}/commands/line.ts`]: `import '#main.ts';` },
  },
  {
    rule: 'feature-only-through-index',
    what: 'another feature’s store in a feature',
    files: {
      [`${features}/peeks/store.ts`]: `import { reveal } from '#features/signals/signals/store.ts';\nexport const peek = reveal;`,
    },
  },
  {
    rule: 'feature-only-through-index',
    what: 'an index that lies deeper in another feature',
    files: {
      [`${features}/digs/store.ts`]: `import { d } from '#features/log/deep/inner/index.ts';\nexport const dig = d;`,
      [`${features}/deep/inner/index.ts`]: 'export const d = 1;',
    },
  },
  {
    rule: 'no-cycle-between-features',
    what: 'two features that need each other, although no module takes part twice',
    files: {
      [`${features}/left/index.ts`]: `export { l } from './l.ts';`,
      [`${features}/left/l.ts`]: 'export const l = 1;',
      [`${features}/left/uses.ts`]: `import { r } from '#features/log/right/index.ts';\nexport const u = r;`,
      [`${features}/right/index.ts`]: `export { r } from './r.ts';`,
      [`${features}/right/r.ts`]: 'export const r = 1;',
      [`${features}/right/uses.ts`]: `import type { l } from '#features/log/left/index.ts';\nexport type U = typeof l;`,
    },
  },
  ...subjects.slice(1).map((subject, above) => ({
    rule: `${subject}-not-to-higher-subjects`,
    what: `a feature of the subject above in ${subject}`,
    files: {
      [`${server}/features/${subject}/climber/index.ts`]: `import { higher } from '#features/${subjects[above]}/of-${subject}/index.ts';\nexport const climber = higher;`,
      [`${server}/features/${subjects[above]}/of-${subject}/index.ts`]: 'export const higher = 1;',
    },
  })),
  {
    rule: 'across-folders-by-subpath',
    what: 'a relative import that leaves its feature',
    files: {
      [`${features}/walks/out.ts`]: `import { port } from '../../../config/port.ts';\nexport const out = port;`,
    },
  },
  {
    rule: 'room-only-through-index',
    what: 'another room’s store in a room',
    files: {
      [`${features}/house/kitchen/cook.ts`]: `import { s } from '../cellar/store.ts';\nexport const c = s;`,
      [`${features}/house/cellar/store.ts`]: 'export const s = 1;',
    },
  },
  {
    rule: 'feature-takes-rooms-through-index',
    what: 'a room’s store in the feature above it',
    files: {
      [`${features}/roof/index.ts`]: `export { s } from './attic/store.ts';`,
      [`${features}/roof/attic/store.ts`]: 'export const s = 1;',
    },
  },
  {
    rule: 'room-not-to-its-feature',
    what: 'what puts the rooms together in one of them',
    files: {
      [`${features}/yard/shed/tool.ts`]: `import { all } from '../all.ts';\nexport const tool = all;`,
      [`${features}/yard/all.ts`]: 'export const all = 1;',
    },
  },
  {
    rule: 'no-cycle-between-rooms',
    what: 'two rooms that need each other, although no module takes part twice',
    files: {
      [`${features}/hotel/left/index.ts`]: `export { l } from './l.ts';`,
      [`${features}/hotel/left/l.ts`]: 'export const l = 1;',
      [`${features}/hotel/left/uses.ts`]: `import { r } from '../right/index.ts';\nexport const u = r;`,
      [`${features}/hotel/right/index.ts`]: `export { r } from './r.ts';`,
      [`${features}/hotel/right/r.ts`]: 'export const r = 1;',
      [`${features}/hotel/right/uses.ts`]: `import type { l } from '../left/index.ts';\nexport type U = typeof l;`,
    },
  },
  {
    rule: 'no-cycle-in-a-room',
    what: 'two folders of a room that need each other, although no module takes part twice',
    files: {
      [`${features}/manor/hall/east/e.ts`]: 'export const e = 1;',
      [`${features}/manor/hall/east/uses.ts`]: `import { w } from '../west/w.ts';\nexport const u = w;`,
      [`${features}/manor/hall/west/w.ts`]: 'export const w = 1;',
      [`${features}/manor/hall/west/uses.ts`]: `import { e } from '../east/e.ts';\nexport const u = e;`,
    },
  },
  {
    rule: 'fastify-only-in-http',
    what: 'the web framework in a feature',
    files: { [`${features}/serves/routes.ts`]: `import { fastify } from 'fastify';\nfastify();` },
  },
  {
    rule: 'fastify-only-in-http',
    what: 'a type of one of its plugins in jobs',
    files: { [`${server}/jobs/cookie.ts`]: `import type { C } from '@fastify/cookie';\nexport type D = C;` },
  },
  {
    rule: 'drivers-only-in-storage',
    what: 'the query builder in a feature',
    files: { [`${features}/queries/store.ts`]: `import { sql } from 'kysely';\nexport const q = sql;` },
  },
  {
    rule: 'drivers-only-in-storage',
    what: 'the query builder’s types in a feature',
    files: {
      [`${features}/rows/store.ts`]: `import type { Selectable } from 'kysely';\nexport type Row = Selectable;`,
    },
  },
  {
    rule: 'drivers-only-in-storage',
    what: 'the PostgreSQL driver loaded on demand in jobs',
    files: { [`${server}/jobs/claim.ts`]: `export const driver = () => import('pg');` },
  },
  {
    rule: 'drivers-only-in-storage',
    what: 'node:sqlite in app',
    files: {
      [`${server}/app/open.ts`]: `import { DatabaseSync } from 'node:sqlite';\nexport const open = DatabaseSync;`,
    },
  },
  {
    rule: 'contract-only-zod',
    what: 'an npm package other than Zod in the contract',
    files: { 'packages/contract/src/log.ts': `import pino from 'pino';\nexport const log = pino;` },
  },
  {
    rule: 'contract-only-zod',
    what: 'a module of Node’s in the contract',
    files: {
      'packages/contract/src/read.ts': `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;`,
    },
  },
  {
    rule: 'contract-only-zod',
    what: 'a type of the server’s in the contract',
    files: {
      'packages/contract/src/ids.ts': `import type { id } from '../../../apps/server/src/kernel/ids.ts';\nexport type Id = typeof id;`,
    },
  },
  {
    rule: 'evaluation-without-io',
    what: 'a module of Node’s in evaluation',
    files: {
      'packages/evaluation/src/dice.ts': `import { randomInt } from 'node:crypto';\nexport const dice = randomInt;`,
    },
  },
  {
    rule: 'evaluation-without-io',
    what: 'a module of Node’s that evaluation asks the process for',
    files: { 'packages/evaluation/src/net.ts': `export const net = process.getBuiltinModule('node:net');` },
  },
  {
    rule: 'evaluation-stands-alone',
    what: 'a framework in evaluation',
    files: { 'packages/evaluation/src/shape.ts': `import { z } from 'zod';\nexport const shape = z;` },
  },
  {
    rule: 'evaluation-stands-alone',
    what: 'the contract in evaluation',
    files: { 'packages/evaluation/src/path.ts': `export type { Path } from '@yardarm/contract';` },
  },
  {
    rule: 'evaluation-stands-alone',
    what: 'the server in evaluation',
    files: {
      'packages/evaluation/src/now.ts': `export { now } from '../../../apps/server/src/kernel/clock.ts';`,
    },
  },
  {
    rule: 'documentation-imports-no-product-code',
    what: 'a type of the server’s in the documentation',
    files: {
      'apps/docs/now.ts': `import type { now } from '../server/src/kernel/clock.ts';\nexport type N = typeof now;`,
    },
  },
  {
    rule: 'admin-not-to-server',
    what: 'a type of the server’s in the UI',
    files: {
      'apps/admin/src/now.ts': `import type { now } from '../../server/src/kernel/clock.ts';\nexport type N = typeof now;`,
    },
  },
  ...['entities/flags', 'ui', 'lib'].map((floor) => ({
    rule: 'admin-lower-floors-not-to-features',
    what: `a feature in ${floor} of the UI`,
    files: {
      [`${admin}/${floor}/up.ts`]: `import { page } from '${floor.includes('/') ? '../..' : '..'}/features/up-${floor.slice(0, 2)}/page.ts';\nexport const up = page;`,
      [`${admin}/features/up-${floor.slice(0, 2)}/page.ts`]: 'export const page = 1;',
    },
  })),
  ...['ui', 'lib'].map((floor) => ({
    rule: 'admin-base-not-to-entities',
    what: `a query of one kind of object in ${floor} of the UI`,
    files: {
      [`${admin}/${floor}/knows.ts`]: `import { q } from '../entities/known-in-${floor}/queries.ts';\nexport const k = q;`,
      [`${admin}/entities/known-in-${floor}/queries.ts`]: 'export const q = 1;',
    },
  })),
  {
    rule: 'admin-features-not-to-app',
    what: 'a route of the UI in a feature',
    files: {
      [`${admin}/features/routes/page.ts`]: `import { route } from '../../app/some-route.ts';\nexport const page = route;`,
      [`${admin}/app/some-route.ts`]: 'export const route = 1;',
    },
  },
  {
    rule: 'admin-feature-only-through-index',
    what: 'another feature’s component in a feature of the UI',
    files: {
      [`${admin}/features/borrows/page.tsx`]: `import { card } from '../lends/card.tsx';\nexport const page = card;`,
      [`${admin}/features/lends/card.tsx`]: 'export const card = 1;',
    },
  },
  ...['features', 'entities'].map((floor) => ({
    rule: 'admin-no-cycle-between-features',
    what: `two folders of ${floor} of the UI that need each other, although no module takes part twice`,
    files: {
      [`${admin}/${floor}/left/index.ts`]: `export { l } from './l.ts';`,
      [`${admin}/${floor}/left/l.ts`]: 'export const l = 1;',
      [`${admin}/${floor}/left/uses.ts`]: `import { r } from '../right/index.ts';\nexport const u = r;`,
      [`${admin}/${floor}/right/index.ts`]: `export { r } from './r.ts';`,
      [`${admin}/${floor}/right/r.ts`]: 'export const r = 1;',
      [`${admin}/${floor}/right/uses.ts`]: `import type { l } from '../left/index.ts';\nexport type U = typeof l;`,
    },
  })),
  {
    rule: 'admin-takes-only-types-and-tables-from-packages',
    what: 'a schema in the UI',
    files: { 'apps/admin/src/form.ts': `import { path } from '@yardarm/contract';\nexport const form = path;` },
  },
  {
    rule: 'admin-takes-only-types-and-tables-from-packages',
    what: 'a schema that comes in beside a type in the UI',
    files: {
      'apps/admin/src/mixed.ts': `import { type Path, path } from '@yardarm/contract';\nexport const mixed: Path = path;`,
    },
  },
  {
    rule: 'admin-takes-only-types-and-tables-from-packages',
    what: 'evaluation in the UI',
    files: {
      'apps/admin/src/try.ts': `import { evaluate } from '@yardarm/evaluation';\nexport const tried = evaluate();`,
    },
  },
  {
    rule: 'tables-import-nothing',
    what: 'a schema that the table of permissions imports',
    files: {
      'packages/contract/src/permissions.ts': `import { z } from 'zod';\nexport const permission = z;`,
    },
  },
  {
    rule: 'contract-only-zod',
    what: 'evaluation in the contract',
    files: { 'packages/contract/src/test.ts': `export { evaluate } from '@yardarm/evaluation';` },
  },
  {
    rule: 'examples-stand-alone',
    what: 'a type of the contract in an example',
    files: { 'examples/webhook/path.ts': `import type { Path } from '@yardarm/contract';\nexport type Where = Path;` },
  },
  {
    rule: 'only-tests-import-tests',
    what: 'the test suite’s own code in the bench',
    files: { 'bench/borrow.ts': `import { server } from '../tests/server.ts';\nserver();` },
  },
  {
    rule: 'only-tests-import-tests',
    what: 'what starts a server for tests in a feature',
    files: {
      [`${features}/cheats/client.ts`]: `export { client } from '#testing/client.ts';`,
    },
  },
  {
    rule: 'only-tests-import-tests',
    what: 'a test scenario in the feature it is about',
    files: {
      [`${features}/plays/plays.scenarios.ts`]: 'export const scenarios = 1;',
      [`${features}/plays/index.ts`]: `export { scenarios } from './plays.scenarios.ts';`,
    },
  },
  {
    rule: 'only-tests-import-tests',
    what: 'a test file in a package',
    files: { 'packages/evaluation/src/proof.ts': `import './hash.test.ts';` },
  },
];
