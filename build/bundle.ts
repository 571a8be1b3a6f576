import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';

/** The folder of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/** The entries of worker threads, by the name that `startThread` is called with. */
const threads = {
  'large-body-worker': `${root}apps/server/src/http/large-body-worker.ts`,
  'sqlite-worker': `${root}apps/server/src/storage/sqlite/sqlite-worker.ts`,
};
/** Faster variants of pg, which pg tries to load when it is loaded itself. They are not bundled. */
const variantsOfPg = ['pg-native', 'pg-cloudflare'];
/** Clients of message brokers. Users who need them install them beside the package. */
const optionalPeers = [/^@nats-io\//, /^@redis\//];

/** Bundles the server as modules that share their code, with one file for each thread. Returns the bundled files. */
export async function bundleForNode(directory: string): Promise<string[]> {
  const input = { yardarm: `${root}apps/server/bin/yardarm.js`, ...threads };
  const external = [...variantsOfPg, ...optionalPeers];
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  return bundle({ input, external }, { dir: directory, format: 'esm', sourcemap: true, ...names });
}

/**
 * Bundles the server for the single executable: one CommonJS file for the main thread and one for each other thread,
 * with the clients of brokers. Returns the bundled files.
 */
export async function bundleForExecutable(directory: string): Promise<string[]> {
  const modules: string[] = [];
  for (const [name, input] of Object.entries({ yardarm: `${root}apps/server/bin/executable.ts`, ...threads })) {
    const output = { file: `${directory}/${name}.js`, format: 'cjs', codeSplitting: false } as const;
    modules.push(...(await bundle({ input, external: variantsOfPg }, output)));
  }
  return modules;
}

/** The names of the threads’ files in both bundles. */
export const threadFiles: readonly string[] = Object.keys(threads).map((name) => `${name}.js`);

async function bundle(input: InputOptions, output: OutputOptions): Promise<string[]> {
  const define = { builtCommit: JSON.stringify(commit()) };
  const built = await rolldown({ ...input, cwd: root, platform: 'node', transform: { define } });
  const result = await built.write({ ...output, cleanDir: false });
  await built.close();
  return result.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Returns the commit that is built, with `-modified` when the work tree differs from it. */
function commit(): string {
  const git = (...options: string[]) => execFileSync('git', options, { cwd: root, encoding: 'utf8' }).trim();
  const modified = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '-modified';
  return git('rev-parse', '--short=12', 'HEAD') + modified;
}
