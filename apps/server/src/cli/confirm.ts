import { createInterface } from 'node:readline/promises';
import { CommandError } from './command-error.ts';

/** Asks for confirmation. Throws a CommandError when standard input is not a terminal. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      'Cannot ask for confirmation: standard input is not a terminal. Use --yes to apply, or --dry-run to look.',
    );
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [yes/no] `)).trim());
  } finally {
    lines.close();
  }
}
