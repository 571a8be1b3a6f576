import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from './command-error.ts';

/** Returns the text of a file, or of a file descriptor. Throws a CommandError when it cannot be read. */
export function readText(file: string | number): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Writes a file and creates its folders. Throws a CommandError when that fails, or when the file exists and `replace`
 * is false.
 */
export function writeText(file: string, text: string, { replace }: { readonly replace: boolean }): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: replace ? 'w' : 'wx' });
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
