import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../apps/server/src/main.ts';

const docs = new URL('../../docs/', import.meta.url);
const pages = globSync('{guides,senders}/*.md', { cwd: docs });

/** A command of Yardarm. Not the name after `kubectl -n`, `sudo -u`, `docker compose exec -T` or `helm install`. */
const commandPattern =
  /(?<![\w./-])(?<!-[nuT] |install )(?:\.\/|\/usr\/bin\/)?yardarm(?: --)?(?: --config \S+)? ([a-z][^\n|<>#&;]*)/g;

/** The commands of Yardarm's command line in a text: what follows `yardarm` in code, up to the end of the command. */
function commandsIn(text: string): string[] {
  const lines = text.matchAll(/^(?: {4}|\$ )(.*)$/gm);
  const blocks = text.matchAll(/```(?:sh|console)\n(.*?)```/gs);
  const spans = text.replaceAll(/```.*?```/gs, '').matchAll(/`([^`]+)`/g);
  return [...lines, ...blocks, ...spans].flatMap(([, code = '']) =>
    [...code.matchAll(commandPattern)].map(([, words = '']) => words.trim()),
  );
}

const program = createProgram();

function problemOf(command: string): string | undefined {
  const words = command.split(/\s+/);
  let found = program.commands.find((each) => each.name() === words[0]);
  if (found === undefined) return `${command}: no such command`;
  if (found.commands.length > 0) found = found.commands.find((each) => each.name() === words[1]);
  if (found === undefined) return `${command}: no such command`;
  const known = found.options.flatMap(({ long, short }) => [long, short]);
  const unknown = words.filter((word) => /^--?[a-z]/.test(word)).find((word) => !known.includes(word.split('=')[0]));
  return unknown === undefined ? undefined : `${command}: no option ${unknown}`;
}

describe('the guides', () => {
  it('name only commands and options of the command line that exist', () => {
    const commands = pages.flatMap((page) => commandsIn(readFileSync(new URL(page, docs), 'utf8')));
    expect(commands).toEqual(expect.arrayContaining(['verify monday.backup', 'apply flags --check']));
    expect(commands.map(problemOf).filter(Boolean)).toEqual([]);
  });

  it('do not tell to run the command line of a clone, except where they list the ways of installation', () => {
    const listing = ['guides/install.md', 'guides/backup.md'];
    const others = pages.filter((page) => !listing.includes(page));
    expect(others.filter((page) => readFileSync(new URL(page, docs), 'utf8').includes('run yardarm'))).toEqual([]);
  });
});
