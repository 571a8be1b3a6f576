import { resolve } from 'node:path';

/**
 * Resolves a path against the folder in which the command was typed. `npm run yardarm` changes to the folder of the
 * program and passes the previous one in INIT_CWD. Other scripts call this program from the folder they choose.
 */
export function typedPath(path: string, variables: NodeJS.ProcessEnv = process.env): string {
  const { INIT_CWD: from, npm_package_name: running, npm_lifecycle_event: script } = variables;
  return from !== undefined && running === 'yardarm' && script === 'yardarm' ? resolve(from, path) : path;
}
