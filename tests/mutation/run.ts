import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installPackages } from '../sdk/packages.ts';
import { changedLines, git, hasCommit } from './changed-lines.ts';
import { neverMutated, type Room, rooms } from './rooms.ts';
import { countsOf, isTooLow, leastScore, type TestedMutant } from './score.ts';
import { readScores, writeScore } from './score-file.ts';
import { runStryker } from './stryker.ts';

// npm run mutation -- [room…] [--since REV|scores] [--within SECONDS]
// With --since, mutates only lines that changed since that revision; `scores` is the commit of the committed score of a room.
// With --within, stops after that time and judges what was tested until then.

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: 'string' }, within: { type: 'string' } },
});
const within = values.within === undefined ? Number.MAX_SAFE_INTEGER : Number(values.within);
if (!(within > 0)) throw new Error(`--within is ${values.within}: give a number of seconds`);
const unknown = positionals.filter((name) => rooms[name] === undefined);
if (unknown.length > 0) throw new Error(`No such room: ${unknown.join(', ')}. Rooms: ${Object.keys(rooms).join(', ')}`);

const tested: TestedMutant[] = [];
for (const [name, room] of Object.entries(rooms))
  if (positionals.length === 0 || positionals.includes(name)) tested.push(...(await runRoom(name, room)));
if (values.since !== undefined && isTooLow(countsOf(tested))) {
  console.error(`\nFewer than ${leastScore} % of the mutants of the changed lines were killed: test what survived.`);
  process.exitCode = 1;
}

async function runRoom(name: string, room: Room): Promise<readonly TestedMutant[]> {
  const files = globSync(room.mutate, { cwd: root }).filter((file) => !neverMutated.test(file));
  const mutate = values.since === undefined ? files : rangesSince(name, values.since, files);
  if (mutate.length === 0) return [];
  const left = within * 1000 - performance.now();
  if (left <= 0) {
    console.log(`${name}: not run, the time is over`);
    return [];
  }
  await installPackages(fileURLToPath(new URL('.', import.meta.url)));
  // What is measured must be what the commit of the score holds, whatever changes meanwhile.
  const [commit, dirty] = [
    git(root, 'rev-parse', 'HEAD').trim(),
    git(root, 'status', '--porcelain', '--', 'apps', 'packages', 'tests/conformance'),
  ];
  console.log(`${name}: ${mutate.join(' ')}`);
  const { tested, ended } = await runStryker(root, mutate, room.tests, Math.min(left, 2 ** 31 - 1));
  print(name, tested, ended);
  if (values.since !== undefined || !ended) return tested;
  if (dirty === '') writeScore(name, { ...countsOf(tested), commit, date: new Date().toISOString().slice(0, 10) });
  else console.log(`The score is not written: there are uncommitted changes.\n${dirty}`);
  return tested;
}

function rangesSince(name: string, since: string, files: readonly string[]): string[] {
  const rev = since === 'scores' ? readScores()[name]?.commit : since;
  if (rev === undefined) {
    console.log(`${name}: not run, it has no score in tests/mutation/scores.json`);
    return [];
  }
  if (!hasCommit(root, rev)) {
    if (since !== 'scores') throw new Error(`--since is ${rev}: there is no such commit`);
    console.log(`${name}: not run, this clone lacks the commit ${rev} of its score`);
    return [];
  }
  const ranges = changedLines(root, rev, files).map(({ file, from, to }) => `${file}:${from}-${to}`);
  if (ranges.length === 0) console.log(`${name}: not run, unchanged since ${rev}`);
  return ranges;
}

function print(name: string, tested: readonly TestedMutant[], ended: boolean): void {
  const alive = tested
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ fileName, location: { start }, status, mutatorName, replacement }) => {
      const place = `${relative(root, fileName)}:${start.line}:${start.column}`;
      return `  ${place} ${status} ${mutatorName} -> ${replacement.replaceAll(/\s+/g, ' ').slice(0, 120)}`;
    });
  if (alive.length > 0) console.log(alive.sort().join('\n'));
  console.log(`${name}: ${JSON.stringify(countsOf(tested))}${ended ? '' : ' (stopped: the time is over)'}`);
}
