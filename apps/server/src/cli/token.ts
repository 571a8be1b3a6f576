import { CommandError } from './command-error.ts';
import { readText } from './files.ts';

// Windows has no such file, and elsewhere reading the descriptor can fail with EAGAIN.
const standardInput = process.platform === 'win32' ? 0 : '/dev/stdin';

/** Where a token stands: in a file (`-` is standard input), or else in an environment variable. */
interface TokenSource {
  readonly file: string | undefined;
  readonly variable: string;
}

/**
 * Returns the token of a file, or of a variable when no file is named; undefined when there is none. Throws a
 * CommandError that does not show it when it has spaces, line breaks or other characters that no token has: `fetch`
 * would show the whole header in its error.
 */
export function readToken({ file, variable }: TokenSource, variables: NodeJS.ProcessEnv): string | undefined {
  const token = (file === undefined ? variables[variable] : readText(file === '-' ? standardInput : file))?.trim();
  if (token === undefined || token === '') return undefined;
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError(`What ${file ?? variable} holds is no token: a token has no spaces and no line breaks.`);
}
