import { spawnSync } from 'node:child_process';
import programs from './programs.json' with { type: 'json' };

declare module 'vitest' {
  interface TaskMeta {
    /** The Debian packages of the programs that are missing on this machine, because of which a test is skipped. */
    needs?: string;
  }
}

/** A program that is on this machine only when it was installed for the tests. Node, npm, git and sh always are. */
type Program = keyof typeof programs;

const known = new Map<Program, boolean>();

function isHere(program: Program): boolean {
  let here = known.get(program);
  if (here === undefined) {
    here = spawnSync('/bin/sh', ['-c', programs[program].check]).status === 0;
    known.set(program, here);
  }
  return here;
}

/** Returns the options of a test, or of a group, that starts these programs: it is skipped where one is missing. */
export function needing(...names: readonly Program[]): { readonly skip: boolean; readonly meta: { needs?: string } } {
  const packages = names.filter((name) => !isHere(name)).map((name) => programs[name].packages);
  return packages.length === 0 ? { skip: false, meta: {} } : { skip: true, meta: { needs: packages.join(' ') } };
}
