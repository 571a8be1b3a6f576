import type { State } from '@yardarm/contract';
import { CommandError } from './command-error.ts';
import { confirm } from './confirm.ts';
import { type Change, describeChanges } from './difference.ts';
import { printable } from './printable.ts';
import { Refusal, type Remote } from './remote.ts';
import { hasStateFiles, readStateFolder, writeStateFolder } from './state-folder.ts';
import { isFile, readPlanFile, writePlanFile } from './state-plan-file.ts';
import { leaveSwitches } from './state-switches.ts';
import { escapeParameters, fillIn } from './state-variables.ts';

/** Options of commands that change data. */
export interface ApplyOptions {
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Options of {@link applyFolder}. */
export interface ApplyFolderOptions extends ApplyOptions {
  readonly prune?: boolean | undefined;
  readonly check?: boolean | undefined;
  /** The file into which a check writes its plan. */
  readonly out?: string | undefined;
  /** Switches on also what was switched off by other means than a state. */
  readonly override?: boolean | undefined;
  readonly json?: boolean | undefined;
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
  /** The changes that apply sends to review instead of making them, by environment. */
  readonly changeRequests: readonly {
    readonly project: string;
    readonly environment: string;
    readonly features: readonly string[];
    readonly segments: readonly string[];
  }[];
}

/** The server's answer to an apply. */
interface Applied {
  readonly changes: readonly Change[];
  readonly changeRequests: readonly {
    readonly id: number;
    readonly project: string;
    readonly environment: string;
    readonly isNew: boolean;
  }[];
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

/** The result of a command, as `--json` prints it. */
type Report = Record<string, unknown>;

/**
 * Shows the changes of applying a folder, or a plan that a check wrote, asks for confirmation, and applies all of them
 * or none. Resolves with the exit code: 0, or 2 when a dry run found changes. Rejects with a CommandError that names
 * what prevents applying it.
 */
export function applyFolder(
  remote: Remote,
  path: string,
  options: ApplyFolderOptions,
  variables: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return reporting(options, { applied: false }, (report, say) => {
    const isCheck = options.dryRun === true || options.check === true;
    if (options.out !== undefined && !isCheck)
      throw new CommandError('--out writes the plan of a --check: add --check.');
    if (options.json === true && !isCheck && options.yes !== true)
      throw new CommandError('--json cannot ask for confirmation. Use --yes to apply, or --check to look.');
    return applySource(remote, sourceAt(path, options), { ...options, isCheck }, { variables, report, say });
  });
}

/** The source of an apply: a folder, or a plan with the fingerprint of its changes. */
interface Source {
  readonly state: State;
  readonly prune: boolean;
  readonly fingerprint?: string;
  /** Returns file, line and column of a path of the state. */
  placeOf(path: string): string;
}

function sourceAt(path: string, { prune = false }: ApplyFolderOptions): Source {
  if (!isFile(path)) return { ...readStateFolder(path), prune };
  if (prune) throw new CommandError('A plan says itself whether it prunes: leave out --prune.');
  return { ...readPlanFile(path), placeOf: () => path };
}

interface Surroundings {
  readonly variables: NodeJS.ProcessEnv;
  readonly report: Report;
  readonly say: (text: string) => void;
}

async function applySource(
  connected: Remote,
  source: Source,
  options: ApplyFolderOptions & { readonly isCheck: boolean },
  { variables, report, say }: Surroundings,
): Promise<number> {
  const { prune, placeOf } = source;
  const { state, remote } = fillIn(source.state, connected, variables, placeOf);
  const plan = (await planned(remote, { state, prune, changeRequests: true }, source)) as Plan;
  const { fingerprint, changes, permissions, switchedOff, changeRequests } = plan;
  const errors = plan.errors.map((error) => ({ ...error, place: placeOf(error.path) }));
  Object.assign(report, { fingerprint, changes, errors, permissions, switchedOff, changeRequests });
  if (errors.length > 0)
    throw new CommandError(errors.map(({ place, path, message }) => `${place} ${path} ${message}`).join('\n'));
  if (source.fingerprint !== undefined && source.fingerprint !== fingerprint)
    throw new CommandError('The state has changed since this plan was made. Nothing was changed. Plan again.');
  const apply = async () => {
    const { override } = options;
    const body = { state, prune, override, fingerprint, changeRequests: true };
    const applied = (await remote.call('POST /api/admin/state/apply', body)) as Applied;
    Object.assign(report, { ...applied, applied: true });
    return applied;
  };
  if (options.out !== undefined) writePlanFile(options.out, { ...source, fingerprint, changes });
  say(changes.length === 0 ? 'No changes.' : describeChanges(changes));
  if (options.out !== undefined) say(`\nWrote the plan to ${options.out}.`);
  if (changes.length === 0) {
    if (!options.isCheck && plan.agreedOff > 0) await apply();
    return 0;
  }
  const needs = permissions.map(({ message, names }) => describeNeed(message, names)).join('\n');
  const offs = describeSwitchedOff(switchedOff);
  const reviewed = changeRequests.map(
    ({ project, environment, features, segments }) =>
      `\n${describeNeed(`Changes in ${environment} of ${project} need review: apply requests them`, [...features, ...segments])}.`,
  );
  if (reviewed.length > 0) say(reviewed.join(''));
  if (options.isCheck) {
    if (needs !== '') say(`\nThe token may not apply this:\n${needs}`);
    if (offs !== '') say(`\n${offs}`);
    return differs;
  }
  if (needs !== '') throw new CommandError(needs);
  if (offs !== '' && options.override !== true)
    throw new CommandError(`${offs}\nNothing was changed. Pull the state again, or use --override.`);
  if (options.yes !== true && !(await confirm('Apply this?')))
    throw new CommandError('Not confirmed. Nothing was changed.');
  const applied = await apply();
  say(describeApplied(remote, applied));
  return 0;
}

function describeApplied({ url }: Remote, { changes, changeRequests }: Applied): string {
  const sent = changeRequests.map(({ id, project, environment, isNew }) => {
    const what = isNew ? 'was sent to review' : 'is open already, with these changes';
    return `Change request ${id} in ${environment} of ${project} ${what}: ${url}/projects/${project}/change-requests/${id}`;
  });
  return [...(changes.length > 0 || sent.length === 0 ? ['Applied.'] : []), ...sent].join('\n');
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
  readonly json?: boolean;
}

/** Writes the state of a server to a folder: all projects, or the listed ones. */
export async function pullFolder(remote: Remote, folder: string, options: PullOptions): Promise<void> {
  const { projects = [], force = false, switches = true } = options;
  await reporting(options, { folder, files: [] }, async (report, say) => {
    const earlier = force && hasStateFiles(folder) ? readStateFolder(folder).state : undefined;
    const query = projects.length === 0 ? '' : `?projects=${encodeURIComponent(projects.join(','))}`;
    const state = (await remote.call(`GET /api/admin/state${query}`)) as State;
    const pulled = leaveSwitches(escapeParameters(state), switches ? earlier : 'all');
    const files = writeStateFolder(folder, pulled, force);
    Object.assign(report, { files });
    say(`Wrote ${files.join(', ')} into ${folder}.`);
  });
}

/** Runs a command. With `json`, prints its report as one JSON object instead of text, also when it fails. */
async function reporting<T>(
  { json = false }: { readonly json?: boolean | undefined },
  report: Report,
  work: (report: Report, say: (text: string) => void) => Promise<T>,
): Promise<T> {
  if (!json) return work(report, (text) => console.log(text));
  try {
    const result = await work(report, () => undefined);
    console.log(JSON.stringify(report));
    return result;
  } catch (error) {
    if (error instanceof CommandError) console.log(JSON.stringify({ ...report, error: error.message }));
    throw error;
  }
}

/** Returns a message with the first five of the names that the message is about. */
export function describeNeed(message: string, names: readonly string[]): string {
  const some = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  return names.length === 0 ? message : `${message}, for ${some}`;
}

async function planned(remote: Remote, body: object, { placeOf }: Pick<Source, 'placeOf'>): Promise<unknown> {
  try {
    return await remote.call('POST /api/admin/state/plan', body);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400) throw error;
    // Each file is valid for this program, but not all files together, or not for a server of another version.
    const lines = error.details.map(({ path = '', message }) => {
      const inner = path.replace(/^state\.?/, '');
      return inner === '' ? message : `${placeOf(inner)} ${message}`;
    });
    throw lines.length === 0 ? error : new CommandError(lines.join('\n'));
  }
}
