import { resolve } from 'node:path';

/**
 * Resolves a path against the folder in which the user typed the command. `npm run yardarm` changes to the folder of
 * the program and passes the folder of the user in INIT_CWD. With other scripts, INIT_CWD is ignored: they choose the
 * folder.
 */
export function typedPath(path: string, variables: NodeJS.ProcessEnv = process.env): string {
  const { INIT_CWD: from, npm_package_name: running, npm_lifecycle_event: script } = variables;
  return from !== undefined && running === 'yardarm' && script === 'yardarm' ? resolve(from, path) : path;
}
