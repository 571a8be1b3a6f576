import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { titleBreach } from './title-rules.ts';

// Checks the titles of the commits after the one that .ci/titles-from names. Older titles stay as they are.
const root = fileURLToPath(new URL('../..', import.meta.url));
const first = readFileSync(`${root}/.ci/titles-from`, 'utf8').trim();
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' });
const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
if (isShallow) console.error('This clone has a part of the history only: the titles of commits are not checked.');
const log = isShallow ? '' : git('log', '--format=%h %s', `${first}..HEAD`);
const breaches = log.split('\n').flatMap((line) => {
  const [hash = '', ...words] = line.split(' ');
  const title = words.join(' ');
  const breach = hash === '' ? undefined : titleBreach(title);
  return breach === undefined ? [] : [`${hash} "${title}" ${breach}`];
});
for (const breach of breaches) console.error(breach);
if (breaches.length > 0) {
  console.error('Titles are imperative, of at most 72 characters: "Cache 304 answers before Fastify".');
  process.exitCode = 1;
}
