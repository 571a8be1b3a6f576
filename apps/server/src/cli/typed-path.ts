import { resolve } from 'node:path';

/**
 * A path as whoever typed it meant it: from the folder they are in. `npm run yardarm` moves to the folder of the program and
 * tells the one before in INIT_CWD; that is of no concern where npm runs a script of another package, which calls this
 * program from where it wants to.
 */
export function typedPath(path: string, variables: NodeJS.ProcessEnv = process.env): string {
  const { INIT_CWD: from, npm_package_name: running } = variables;
  return from !== undefined && running === 'yardarm' ? resolve(from, path) : path;
}
