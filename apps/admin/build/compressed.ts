import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Returns a plugin that writes compressed copies of text files at build time, so that the server does not compress them
 * at each request.
 */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // Runs after the files are written, because the bundler may change a bundle until then.
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error('the build goes to no directory');
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(names.map((name) => compressFile(join(dir, name))));
    },
  };
}

/** Writes a brotli copy (`.br`) and a gzip copy (`.gz`) of a file beside it. */
export async function compressFile(path: string): Promise<void> {
  const source = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(source, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(source, { level: constants.Z_BEST_COMPRESSION }));
}
