import { resolve } from 'node:path';

/**
 * A path as whoever typed it meant it: from the folder they are in. `npm run yardarm` moves to the folder of the
 * program and tells the one before in INIT_CWD. Where npm runs another script, or one of another package, that script
 * calls this program from where it wants to.
 */
export function typedPath(path: string, variables: NodeJS.ProcessEnv = process.env): string {
  const { INIT_CWD: from, npm_package_name: running, npm_lifecycle_event: script } = variables;
  return from !== undefined && running === 'yardarm' && script === 'yardarm' ? resolve(from, path) : path;
}
