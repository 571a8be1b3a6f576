import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installPackages } from '../sdk/packages.ts';
import { changedLines, git, hasCommit } from './changed-lines.ts';
import type { Choice } from './chosen.ts';
import { type Room, roomsIn } from './rooms.ts';
import { countsOf, isTooLow, leastScore, type TestedMutant } from './score.ts';
import { inTurn, readScores, writeScore } from './score-file.ts';
import { type Outcome, runStryker } from './stryker.ts';

// npm run mutation -- [room, file of a room or file:line:column…] [--sample N [--seed TEXT]] [--since REV|scores]
//   [--within SECONDS]
// npm run mutation -- --turn SECONDS [--sample N]
// A room is a part of the code that is mutated together; rooms.ts says which.

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    since: { type: 'string' },
    within: { type: 'string' },
    turn: { type: 'string' },
  },
});
const rooms = roomsIn(root);
/** Mutants of a room that has its turn: a budget that most rooms test in some minutes. */
const turnSample = '40';
if (values.turn !== undefined) {
  if (positionals.length > 0 || values.since !== undefined || values.within !== undefined) {
    throw new Error('--turn chooses the rooms and the time: give it only --sample and --seed');
  }
  values.within = values.turn;
  values.sample ??= turnSample;
}
const withinMs = values.within === undefined ? 2 ** 31 - 1 : Number(values.within) * 1000;
if (!(withinMs > 0)) throw new Error(`The time is ${values.within}: give a number of seconds`);
const sample = Number(values.sample);
if (values.sample !== undefined && !(Number.isInteger(sample) && sample > 0)) {
  throw new Error(`--sample is ${values.sample}: give a number of mutants`);
}
const seed = values.seed ?? randomBytes(4).toString('hex');
const places = positionals.filter((name) => /:\d+:\d+$/.test(name));
if (places.length > 0 && values.sample !== undefined)
  throw new Error('--sample draws from rooms and files, not places');
const fileOf = (name: string) => name.replace(/:\d+:\d+$/, '');
const choice: Choice | undefined =
  places.length > 0 ? { root, places } : values.sample === undefined ? undefined : { sample, seed };
const known = [...Object.keys(rooms), ...Object.values(rooms).flatMap(({ mutate }) => mutate)];
const unknown = positionals.filter((name) => !known.includes(fileOf(name)));
if (unknown.length > 0) {
  const names = Object.keys(rooms).join(', ');
  throw new Error(`Neither a room nor a file of one: ${unknown.join(', ')}. Rooms: ${names}`);
}

const outcomes: Outcome[] = [];
const names = Object.keys(rooms);
for (const name of values.turn === undefined ? names : inTurn(names, readScores())) {
  const room = rooms[name] as Room;
  const isWhole = positionals.length === 0 || positionals.includes(name);
  const files = isWhole ? room.mutate : room.mutate.filter((file) => positionals.map(fileOf).includes(file));
  const outcome = await runRoom(name, room, files, isWhole);
  if (outcome !== undefined) outcomes.push(outcome);
}
const untested = outcomes.reduce((sum, outcome) => sum + outcome.untested, 0);
if (isTooLow(countsOf(outcomes.flatMap(({ tested }) => tested)), untested)) {
  console.error(
    `\nFewer than ${leastScore} % of the mutants were killed. Test what survived, see tests/mutation/README.md.`,
  );
  process.exitCode = 1;
}

async function runRoom(
  name: string,
  room: Room,
  files: readonly string[],
  isWhole: boolean,
): Promise<Outcome | undefined> {
  if (files.length === 0) return undefined;
  const mutate = values.since === undefined ? files : rangesSince(name, values.since, files);
  if (mutate.length === 0) return undefined;
  await installPackages(fileURLToPath(new URL('.', import.meta.url)));
  const left = withinMs - performance.now();
  if (left <= 0) {
    console.log(`${name}: not run, the time is over`);
    return undefined;
  }
  // Read before the run: files may be edited while Stryker works on its copy.
  const commit = git(root, 'rev-parse', 'HEAD').trim();
  const uncommitted = git(root, 'status', '--porcelain', '--', 'apps', 'packages', 'tests/conformance');
  const drawn = values.sample === undefined ? '' : ` (a sample of ${sample}, --seed ${seed})`;
  console.log(`${name}${drawn}: ${mutate.join(' ')}`);
  const outcome = await runStryker(root, mutate, room.tests, left, choice);
  const counts = countsOf(outcome.tested);
  for (const line of survivors(outcome.tested)) console.log(line);
  console.log(
    `${name}: ${JSON.stringify(counts)}${outcome.ended ? '' : `, stopped with ${outcome.untested} untested`}`,
  );
  if (!isWhole || values.since !== undefined || !outcome.ended) return outcome;
  const of = outcome.tested.length;
  const measured = { commit, date: new Date().toISOString().slice(0, 10) };
  const score = { ...counts, ...(values.sample === undefined ? {} : { sample: { of, seed } }), ...measured };
  if (uncommitted === '') writeScore(name, score);
  else console.log(`The score is not written: it would be of uncommitted changes.\n${uncommitted}`);
  return outcome;
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

function survivors(tested: readonly TestedMutant[]): string[] {
  return tested
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ fileName, location: { start }, status, mutatorName, replacement }) => {
      const text = replacement.replaceAll(/\s+/g, ' ').slice(0, 120);
      return `  ${relative(root, fileName)}:${start.line}:${start.column} ${status} ${mutatorName} -> ${text}`;
    })
    .sort();
}
