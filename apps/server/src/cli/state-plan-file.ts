import { statSync } from 'node:fs';
import { type State, stateSchema } from '@yardarm/contract';
import { z } from 'zod';
import { CommandError } from './command-error.ts';
import type { Change } from './difference.ts';
import { readText, writeText } from './files.ts';

/** A plan that was made by a check, to be applied as it is. */
export interface PlanFile {
  readonly state: State;
  readonly prune: boolean;
  /** Identifies the changes: the server refuses others. */
  readonly fingerprint: string;
  /** The changes when the plan was made, for people and programs that read the file. */
  readonly changes: readonly Change[];
}

const format = 'yardarm-plan';
const planSchema = z.object({
  format: z.literal(format),
  version: z.literal(1),
  fingerprint: z.string(),
  prune: z.boolean(),
  changes: z.array(z.custom<Change>()),
  state: stateSchema,
});

/** Returns whether the path is a file, and not a folder. Paths that do not exist are taken for folders. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Writes a plan, in place of an earlier one. Placeholders of environment variables are written, not their values. */
export function writePlanFile(file: string, { fingerprint, prune, changes, state }: PlanFile): void {
  const content = { format, version: 1, fingerprint, prune, changes, state };
  writeText(file, `${JSON.stringify(content, null, 2)}\n`, { replace: true });
}

/** Reads a plan. Throws a CommandError when the file is none. */
export function readPlanFile(file: string): PlanFile {
  const content = parse(readText(file));
  const parsed = planSchema.safeParse(content);
  if (!parsed.success)
    throw new CommandError(`${file} is not a plan of this version: name a folder, or a file that --check --out wrote.`);
  const { fingerprint, prune, changes } = parsed.data;
  return { fingerprint, prune, changes, state: (content as { readonly state: State }).state };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
