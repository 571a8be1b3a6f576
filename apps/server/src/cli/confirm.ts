import { createInterface } from 'node:readline/promises';
import { CommandError } from './command-error.ts';

/** Asks whether to go on. A CommandError where there is nobody to ask. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new CommandError('Cannot ask for confirmation: standard input is not a terminal. Use --yes to apply, or --dry-run to look.');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [yes/no] `)).trim());
  } finally {
    lines.close();
  }
}
