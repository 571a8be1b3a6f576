import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const generated = new Set(['node_modules', 'dist', '.git']);

/** Returns the paths of the repository's own files with these endings, relative to the root. */
export function sourceFiles(...endings: string[]): string[] {
  return globSync(`**/*.{${endings.join(',')},}`, { cwd: root, exclude: (name) => generated.has(name) })
    .filter((path) => endings.some((ending) => path.endsWith(`.${ending}`)))
    .sort();
}
