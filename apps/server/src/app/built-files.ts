import { extname } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { filesIn, type StaticFiles } from '#http/static-files.ts';

/** The folders into which `npm ci` builds the served files, relative to this file. */
const folders = { interface: '../../../admin/dist', documentation: '../../../docs/dist' };

/**
 * Returns the files of the built user interface or documentation, whether the program runs from the source tree, from
 * the built package or as the single executable.
 */
export function builtFiles(name: keyof typeof folders): StaticFiles {
  if (isSea()) return filesOfExecutable(`${name}/`);
  const isBuilt = extname(import.meta.url) === '.js';
  return filesIn(fileURLToPath(new URL(isBuilt ? `../${name}` : folders[name], import.meta.url)));
}

function filesOfExecutable(prefix: string): StaticFiles {
  const keys = getAssetKeys().filter((key) => key.startsWith(prefix));
  return {
    paths: new Set(keys.map((key) => key.slice(prefix.length))),
    // The bytes are not copied: they are a view of the executable, which the operating system reads on demand.
    read: async (path) => new Uint8Array(getRawAsset(prefix + path)),
  };
}
