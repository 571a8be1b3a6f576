import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Prints the Debian packages of the programs that this machine lacks, in one line. Plain JavaScript without imports of
// packages, because CI runs it before `npm ci`, on the Node that is there.

const programs = JSON.parse(readFileSync(new URL('programs.json', import.meta.url), 'utf8'));
const missing = Object.values(programs).filter(({ check }) => spawnSync('/bin/sh', ['-c', check]).status !== 0);
console.log(missing.map(({ packages }) => packages).join(' '));
