import type { State } from '@yardarm/contract';
import { CommandError } from './command-error.ts';
import { confirm } from './confirm.ts';
import { type Change, describeChanges } from './difference.ts';
import { Refusal, type Remote } from './remote.ts';
import { readStateFolder, type StateFolder, writeStateFolder } from './state-folder.ts';

/** Options of commands that change data. */
export interface ApplyOptions {
  readonly prune?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly check?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** The server's answer to a plan. */
export interface Plan {
  readonly fingerprint: string;
  readonly changes: readonly Change[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly permissions: readonly { readonly message: string; readonly names: readonly string[] }[];
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
  if (plan.changes.length === 0) {
    console.log('No changes.');
    return 0;
  }
  console.log(describeChanges(plan.changes));
  const needs = plan.permissions.map(({ message, names }) => describeNeed(message, names)).join('\n');
  if (options.dryRun === true || options.check === true) {
    if (needs !== '') console.log(`\nThe token may not apply this:\n${needs}`);
    return differs;
  }
  if (needs !== '') throw new CommandError(needs);
  if (options.yes !== true && !(await confirm('Apply this?')))
    throw new CommandError('Not confirmed. Nothing was changed.');
  await remote.call('POST /api/admin/state/apply', { state: read.state, prune, fingerprint: plan.fingerprint });
  console.log('Applied.');
  return 0;
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
