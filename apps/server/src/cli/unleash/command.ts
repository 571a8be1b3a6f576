import { systemClock } from '../../kernel/clock.ts';
import { CommandError } from '../command-error.ts';
import { describeChanges } from '../difference.ts';
import { Refusal, type Remote } from '../remote.ts';
import { describeNeed, differs, type Plan } from '../state-commands.ts';
import { readToken } from '../token.ts';
import { missingSegments, translate } from './move.ts';
import type { Note } from './notes.ts';
import { readUnleash } from './read.ts';

export interface MoveOptions {
  readonly unleashTokenFile?: string | undefined;
  readonly apply?: boolean | undefined;
}

interface MovePlan extends Plan {
  readonly skipped: readonly Names[];
}

interface Names {
  readonly message: string;
  readonly names: readonly string[];
}

interface Applied {
  readonly apiTokens: readonly {
    readonly tokenName: string;
    readonly type: string;
    readonly environment: string;
    readonly projects: readonly string[];
    readonly secret: string;
  }[];
}

/**
 * Shows the changes that copy everything from a running Unleash, and with `apply` applies all of them or none. Only
 * reads from Unleash. Resolves with the exit code: 0, or 2 when there are changes and none was applied. Rejects with a
 * CommandError that says what prevents the copy.
 */
export async function importFromUnleash(
  remote: Remote,
  address: string,
  options: MoveOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const content = await readUnleash(address, unleashToken(options, variables));
  const missing = missingSegments(content);
  if (missing.length > 0)
    throw new CommandError(
      `Flags use segments that Unleash does not list: ${missing.join(', ')}. Nothing was planned.`,
    );
  const { state, installation, notes } = translate(content, systemClock.now());
  for (const note of notes) console.log(describeNote(note));
  const body = { state, installation };
  const plan = (await remote.call('POST /api/admin/state/plan', body)) as MovePlan;
  for (const { message, names } of plan.skipped)
    console.log(describeNote({ message: `Left out: ${message}`, items: names }));
  if (plan.errors.length > 0)
    throw new CommandError(plan.errors.map(({ path, message }) => `${path} ${message}`.trim()).join('\n'));
  if (plan.changes.length === 0) {
    console.log('No changes.');
    return 0;
  }
  console.log(describeChanges(plan.changes));
  if (options.apply !== true) {
    console.log('Nothing was changed. Run the command again with --apply to apply the plan.');
    return differs;
  }
  if (plan.permissions.length > 0)
    throw new CommandError(plan.permissions.map(({ message, names }) => describeNeed(message, names)).join('\n'));
  // Unleash decides what is on until the move is done.
  const applied = await apply(remote, { ...body, override: true, fingerprint: plan.fingerprint });
  console.log('Applied.');
  if (applied.apiTokens.length === 0) return 0;
  console.log('\nNew API tokens. Their secrets are shown this once:');
  for (const { tokenName, type, environment, projects, secret } of applied.apiTokens)
    console.log(`${tokenName} (${type}, ${environment}, ${projects.join(' ')}): ${secret}`);
  return 0;
}

async function apply(remote: Remote, body: object): Promise<Applied> {
  try {
    return (await remote.call('POST /api/admin/state/apply', body)) as Applied;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new CommandError(`${error.message}\nNothing was changed.`);
  }
}

/**
 * Returns the token for Unleash. There is no option for it, because every user of the machine can read command lines.
 */
function unleashToken({ unleashTokenFile: file }: MoveOptions, variables: NodeJS.ProcessEnv): string {
  const token = readToken({ file, variable: 'UNLEASH_TOKEN' }, variables);
  if (token !== undefined) return token;
  throw new CommandError(
    'Put an admin token of Unleash into UNLEASH_TOKEN, or into a file that --unleash-token-file names (- for standard input).',
  );
}

/** Returns a note in one line; each renamed name is on a line of its own. */
function describeNote({ message, items }: Note): string {
  if (items.length === 0) return `Note: ${message}.`;
  if (items.some((item) => item.includes(' → ')))
    return [`Note: ${message}:`, ...items.map((item) => `    ${item}`)].join('\n');
  return `Note: ${message}: ${items.join(', ')}.`;
}
