import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, sourceFiles } from '../docs/source-files.ts';
import { commentBreaches } from './comment-rules.ts';

// Arguments are the beginnings of paths to check, all files without them.
const folders = process.argv.slice(2);
const breaches = sourceFiles('ts', 'tsx', 'js', 'mjs')
  .filter((path) => folders.length === 0 || folders.some((folder) => path.startsWith(folder)))
  .flatMap((path) => commentBreaches(path, readFileSync(join(root, path), 'utf8')));
for (const breach of breaches) console.error(breach);
if (breaches.length > 0) {
  console.error(`${breaches.length} comments break the rules. Begin with a verb ("Returns…") or the subject's name.`);
  process.exitCode = 1;
}
