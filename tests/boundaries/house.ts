import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The text of each file, by its path from the root of a repository. */
export type Files = Readonly<Record<string, string>>;

const server = 'apps/server/src';

/** A small repository in the layout of the real one that uses every import the rules allow. */
export const cleanHouse: Files = {
  'apps/server/package.json': readFileSync(new URL('../../apps/server/package.json', import.meta.url), 'utf8'),
  [`${server}/main.ts`]: `import { start } from './app/start.ts';\nstart();`,
  [`${server}/app/start.ts`]: `
    import { serve } from '#http/serve.ts';
    import { reveal } from '#features/signals/signals/store.ts';
    import { label } from '#features/flags/labels/index.ts';
    import { port } from '#config/port.ts';
    export function start() { serve(port, reveal(), label); }`,
  [`${server}/config/port.ts`]: `import { id } from '#kernel/ids.ts';\nexport const port = id.length;`,
  [`${server}/kernel/ids.ts`]: `
    import { randomUUID } from 'node:crypto';
    import { now } from './clock.ts';
    export const id = randomUUID() + now;`,
  [`${server}/kernel/clock.ts`]: 'export const now = 1;',
  [`${server}/kernel/ids.test.ts`]: `
    import { test } from 'vitest';
    import { id } from './ids.ts';
    import { server } from '../../../../tests/server.ts';
    test(id, server);`,
  [`${server}/http/serve.ts`]: `
    import { fastify } from 'fastify';
    import cookie from '@fastify/cookie';
    export const serve = (...all: unknown[]) => fastify(cookie, all);`,
  [`${server}/storage/database.ts`]: `
    import { sql } from 'kysely';
    import pg from 'pg';
    import { DatabaseSync } from 'node:sqlite';
    export { sql };
    export const database = [pg, DatabaseSync];`,
  [`${server}/features/signals/signals/index.ts`]: `export { reveal } from './store.ts';`,
  [`${server}/features/signals/signals/store.ts`]: `
    import { sql } from '#storage/database.ts';
    export const reveal = () => sql;`,
  [`${server}/features/signals/signals/signals.scenarios.ts`]: `
    import { client } from '#testing/client.ts';
    import { reveal } from './index.ts';
    export const scenarios = [client, reveal];`,
  [`${server}/features/signals/signals/signals.test.ts`]: `
    import pg from 'pg';
    import { test } from 'vitest';
    import { scenarios } from './signals.scenarios.ts';
    test(pg, scenarios);`,
  'apps/server/testing/client.ts': `
    import { start } from '../src/app/start.ts';
    export const client = start;`,
  [`${server}/features/automation/actions/index.ts`]: `
    import { reveal } from '#features/signals/signals/index.ts';
    import { path } from '@yardarm/contract';
    export const act = () => [reveal(), path];`,
  // No cycle: labels imports tags, and only the scenarios of tags import the app, which imports labels.
  [`${server}/features/flags/tags/index.ts`]: `export const tag = 1;`,
  [`${server}/features/flags/tags/more.scenarios.ts`]: `
    import { client } from '#testing/client.ts';
    export const scenarios = [client];`,
  [`${server}/features/flags/labels/index.ts`]: `
    import { tag } from '#features/flags/tags/index.ts';
    export const label = tag;`,
  'packages/contract/src/index.ts': `
    import { z } from 'zod';
    import { operators } from '@yardarm/evaluation/operators';
    export const path = [z, operators];
    export type Path = string;`,
  'packages/evaluation/src/operators.ts': `export const operators = ['IN'];`,
  'packages/evaluation/src/index.ts': `
    import { hash } from './hash.ts';
    import { RE2JS } from 're2js';
    export const evaluate = () => [hash, RE2JS];`,
  'packages/evaluation/src/hash.ts': 'export const hash = 1;',
  'packages/evaluation/src/hash.test.ts': `
    import { readFileSync } from 'node:fs';
    import { hash } from './hash.ts';
    readFileSync(String(hash));`,
  'apps/admin/src/page.ts': `
    import type { Path } from '@yardarm/contract';
    import { operators } from '@yardarm/evaluation/operators';
    export const here: Path = operators[0];`,
  'apps/admin/src/app/routes.ts': `
    import { page } from '../features/pages/page.ts';
    export const routes = page;`,
  'apps/admin/src/features/pages/page.ts': `
    import { card } from '../cards/index.ts';
    import { query } from '../../entities/cards/queries.ts';
    import { row } from './rows/row.ts';
    export const page = [card, query, row];`,
  'apps/admin/src/features/pages/rows/row.ts': `export const row = 1;`,
  'apps/admin/src/features/cards/index.ts': `export { card } from './card.ts';`,
  'apps/admin/src/features/cards/card.ts': `
    import { query } from '../../entities/cards/queries.ts';
    export const card = query;`,
  'apps/admin/src/entities/cards/queries.ts': `
    import { api } from '../../lib/api.ts';
    import { word } from '../words/word.ts';
    export const query = [api, word];`,
  'apps/admin/src/entities/words/word.ts': `export const word = 1;`,
  'apps/admin/src/lib/api.ts': `export const api = 1;`,
  'bench/run.ts': `import { fastify } from 'fastify';\nfastify();`,
  'examples/webhook/run.ts': `import { port } from './port.ts';\nexport const url = port;`,
  'examples/webhook/port.ts': 'export const port = 1;',
  'tests/server.ts': `export { start as server } from '../apps/server/src/app/start.ts';`,
};

const stubs = ['@fastify/cookie', 'fastify', 'kysely', 'pg', 'pino', 're2js', 'vitest', 'zod'];

function write(root: string, path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * Writes the files below `root`, stubs of the npm packages that they import, and the links in node_modules that `npm
 * ci` makes for workspaces.
 */
export function build(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) write(root, path, text);
  for (const name of stubs) {
    write(root, `node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'dist/index.js' }));
    write(root, `node_modules/${name}/dist/index.js`, 'module.exports = {};');
  }
  mkdirSync(join(root, 'node_modules/@yardarm'), { recursive: true });
  for (const name of ['contract', 'evaluation']) {
    const exports = { '.': './src/index.ts', './operators': './src/operators.ts' };
    write(root, `packages/${name}/package.json`, JSON.stringify({ name: `@yardarm/${name}`, type: 'module', exports }));
    symlinkSync(`../../packages/${name}`, join(root, `node_modules/@yardarm/${name}`));
  }
}
