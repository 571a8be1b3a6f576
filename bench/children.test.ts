import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const children = JSON.stringify(join(import.meta.dirname, 'children.ts'));

/** A program whose child would run on for a minute; it ends in the given way once the child has begun. */
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
      // The child holds the same pipe, so it ends only when both are gone: at once, or after a minute.
      expect(await text(parent.stdout)).toBe('ending\n');
    },
  );
});
