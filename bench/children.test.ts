import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const children = JSON.stringify(join(import.meta.dirname, 'children.ts'));

/**
 * Returns a program that starts a child of one minute and, once the child has started, ends itself by the code `how`.
 */
function programEnding(how: string): string {
  return `
    import { spawn } from 'node:child_process';
    import { killWithUs } from ${children};
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => console.log("outlived"), 60_000)'], {
      stdio: ['ignore', 'inherit', 'ignore'],
    });
    killWithUs(child);
    child.once('spawn', () => { ${how} });`;
}

describe('a child process', () => {
  it.each(['console.log("ending"); process.exit(0)', 'console.log("ending"); throw new Error("a mistake")'])(
    'does not outlive this one when it ends by %s',
    async (how) => {
      const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', programEnding(how)]);
      // The child inherits the pipe, so the text ends when both processes have ended: after a minute if the child is
      // not killed.
      expect(await text(parent.stdout)).toBe('ending\n');
    },
  );
});
