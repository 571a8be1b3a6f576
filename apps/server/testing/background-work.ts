import { globSync, readFileSync } from 'node:fs';

const root = new URL('../src/', import.meta.url);
const loops = /\bnew (?:Loop|WriteBehind)\b|\bcreateTaskScheduler(?:<.*>)?\(/;
const timers = /\bset(?:Interval|Timeout)\(|'node:timers/;

/** Returns the text of a source file, by its path below `src`. */
export const sourceOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** Returns the files below `src` with a background loop. */
export const filesWithLoops = (): string[] => filesWith(loops, ['**/*.test.ts']);

/** Returns the files below `src` with a timer. Timers in `http` limit the time of one connection. */
export const filesWithTimers = (): string[] => filesWith(timers, ['**/*.test.ts', 'http/**', 'kernel/loop.ts']);

function filesWith(pattern: RegExp, exclude: readonly string[]): string[] {
  const files = globSync('**/*.ts', { cwd: root, exclude: [...exclude] });
  return files.filter((file) => pattern.test(sourceOf(file))).sort();
}
