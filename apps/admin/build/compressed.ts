import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes compressed copies of text files at build time, so that the server need not compress them. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // Written files are final; the bundler may still change a bundle before it is written.
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error('the build goes to no directory');
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(names.map((name) => compressFile(join(dir, name))));
    },
  };
}

/** Writes a file again beside itself, compressed by brotli and by gzip. */
export async function compressFile(path: string): Promise<void> {
  const source = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(source, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(source, { level: constants.Z_BEST_COMPRESSION }));
}
