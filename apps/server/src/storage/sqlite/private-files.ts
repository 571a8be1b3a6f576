import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';

/** Creates a directory if it is missing, and makes it accessible to its owner only, with any umask. */
export function privateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  setMode(path, 0o700);
}

/** Creates an empty file if it is missing, and makes it accessible to its owner only, with any umask. */
export function privateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  setMode(path, 0o600);
}

/** Makes a file accessible to its owner only, if it exists. */
export function makePrivateIfExists(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) setMode(path, 0o600);
}

function setMode(path: string, mode: number): void {
  const present = statSync(path).mode & 0o777;
  if (present === mode) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    // Mounted volumes may belong to another user, who decides who reads them: only warn.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    process.emitWarning(
      `${path} has the mode ${present.toString(8)} and belongs to another user. Give it the mode ${mode.toString(8)}.`,
    );
  }
}
