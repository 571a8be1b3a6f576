import { globSync, readFileSync } from 'node:fs';

const root = new URL('../src/', import.meta.url);
const starts = /\bset(?:Interval|Timeout)\(|\bnew WriteBehind\b|\bcreateTaskScheduler(?:<.*>)?\(/;

/** Returns the text of a source file, by its path below `src`. */
export const sourceOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** Returns the files below `src` that start background work. Timers in `http` limit the time of one connection. */
export function filesWithBackgroundWork(): string[] {
  const files = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'http/**'] });
  return files.filter((file) => starts.test(sourceOf(file))).sort();
}
