import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from './command-error.ts';

/** The text of a file, or a CommandError. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Writes a file and the folders it is in; a CommandError when that cannot be done, or it is there and may not be
 * replaced.
 */
export function writeText(file: string, text: string, { replace }: { readonly replace: boolean }): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: replace ? 'w' : 'wx' });
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
