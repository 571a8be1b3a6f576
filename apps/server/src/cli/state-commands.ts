import type { State } from '@yardarm/contract';
import { CommandError } from './command-error.ts';
import { confirm } from './confirm.ts';
import { type Change, describeChanges } from './difference.ts';
import { printable } from './printable.ts';
import { Refusal, type Remote } from './remote.ts';
import { readStateFolder, type StateFolder, writeStateFolder } from './state-folder.ts';

/** Options of commands that change data. */
export interface ApplyOptions {
  readonly prune?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly check?: boolean | undefined;
  /** Switches on also what was switched off by other means than a state. */
  readonly override?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** The server's answer to a plan. */
export interface Plan {
  readonly fingerprint: string;
  readonly changes: readonly Change[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly permissions: readonly { readonly message: string; readonly names: readonly string[] }[];
  /** Flags that would be switched on, although they were switched off by other means than a state. */
  readonly switchedOff: readonly SwitchedOff[];
  /** The number of flags that were switched off by other means, and that the state describes as off. */
  readonly agreedOff: number;
}

interface SwitchedOff {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  readonly by: string;
  readonly at: string;
  readonly reason: string | null;
}

/** The exit code of a dry run that found differences. */
export const differs = 2;

/**
 * Shows the changes of applying a folder, asks for confirmation, and applies all of them or none. Resolves with the
 * exit code: 0, or 2 when a dry run found changes. Rejects with a CommandError that names what prevents applying it.
 */
export async function applyFolder(remote: Remote, folder: string, options: ApplyOptions): Promise<number> {
  const read = readStateFolder(folder);
  const prune = options.prune ?? false;
  const plan = (await planned(remote, { state: read.state, prune }, read)) as Plan;
  if (plan.errors.length > 0) {
    throw new CommandError(
      plan.errors.map(({ path, message }) => `${read.placeOf(path)} ${path} ${message}`).join('\n'),
    );
  }
  const { fingerprint } = plan;
  const apply = () =>
    remote.call('POST /api/admin/state/apply', { state: read.state, prune, override: options.override, fingerprint });
  const isCheck = options.dryRun === true || options.check === true;
  if (plan.changes.length === 0) {
    if (plan.agreedOff > 0 && !isCheck) await apply();
    console.log('No changes.');
    return 0;
  }
  console.log(describeChanges(plan.changes));
  const needs = plan.permissions.map(({ message, names }) => describeNeed(message, names)).join('\n');
  const offs = describeSwitchedOff(plan.switchedOff);
  if (isCheck) {
    if (needs !== '') console.log(`\nThe token may not apply this:\n${needs}`);
    if (offs !== '') console.log(`\n${offs}`);
    return differs;
  }
  if (needs !== '') throw new CommandError(needs);
  if (offs !== '' && options.override !== true)
    throw new CommandError(`${offs}\nNothing was changed. Pull the state again, or use --override.`);
  if (options.yes !== true && !(await confirm('Apply this?')))
    throw new CommandError('Not confirmed. Nothing was changed.');
  await apply();
  console.log('Applied.');
  return 0;
}

/** Returns who switched off what would be switched on, when and why; an empty text when there is nothing. */
function describeSwitchedOff(switchedOff: readonly SwitchedOff[]): string {
  if (switchedOff.length === 0) return '';
  const lines = switchedOff.map(({ project, featureName, environment, by, at, reason }) => {
    const why = reason === null ? '' : `: ${reason}`;
    return printable(`    ${featureName} (${project}) in ${environment}: switched off by ${by} at ${at}${why}`);
  });
  return ['This would switch on what was switched off since the state was pulled or applied:', ...lines].join('\n');
}

/** Options of {@link pullFolder}. */
export interface PullOptions {
  readonly projects?: readonly string[];
  readonly force?: boolean;
  /** False leaves out whether flags are on, so that applying the folder switches no flag. */
  readonly switches?: boolean;
}

/** Writes the state of a server to a folder: all projects, or the listed ones. */
export async function pullFolder(
  remote: Remote,
  folder: string,
  { projects = [], force = false, switches = true }: PullOptions,
): Promise<void> {
  const query = projects.length === 0 ? '' : `?projects=${encodeURIComponent(projects.join(','))}`;
  const state = (await remote.call(`GET /api/admin/state${query}`)) as State;
  const files = writeStateFolder(folder, switches ? state : withoutSwitches(state), force);
  console.log(`Wrote ${files.join(', ')} into ${folder}.`);
}

/** Returns the state without what switches flags on or off: people do that, and an apply leaves it as it is. */
function withoutSwitches({ projects = {}, ...state }: State): State {
  return {
    ...state,
    projects: mapValues(projects, ({ flags = {}, ...project }) => ({
      ...project,
      flags: mapValues(flags, ({ environments = {}, ...flag }) => ({
        ...flag,
        environments: mapValues(environments, ({ enabled: _, ...environment }) => environment),
      })),
    })),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Returns a message with the first five of the names that the message is about. */
export function describeNeed(message: string, names: readonly string[]): string {
  const some = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  return names.length === 0 ? message : `${message}, for ${some}`;
}

async function planned(remote: Remote, body: object, read: StateFolder): Promise<unknown> {
  try {
    return await remote.call('POST /api/admin/state/plan', body);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400) throw error;
    // The state is valid for this program, but a server of another version may accept fewer fields.
    const lines = error.details.map(({ path = '', message }) => {
      const inner = path.replace(/^state\.?/, '');
      return inner === '' ? message : `${read.placeOf(inner)} ${message}`;
    });
    throw lines.length === 0 ? error : new CommandError(lines.join('\n'));
  }
}
