import type { Installation, RouteKey } from '@yardarm/contract';
import { systemClock } from '#kernel/clock.ts';
import { CommandError } from '../command-error.ts';
import { describeEntities, summaryOf } from '../difference.ts';
import { Refusal, type Remote } from '../remote.ts';
import { describeNeed, differs, type Plan } from '../state-commands.ts';
import { unleashToken } from './api.ts';
import { differencesOf, readHere } from './differences.ts';
import { missingSegments, translate } from './move.ts';
import { describeNote } from './notes.ts';
import { readUnleash } from './read.ts';

export interface MoveOptions {
  readonly unleashTokenFile?: string | undefined;
  readonly apply?: boolean | undefined;
  readonly archive?: boolean | undefined;
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
 * reads from Unleash, and only after the token for Yardarm has been accepted. Prints the summary last. Resolves with
 * the exit code: 0, or 2 when there are changes and none was applied. Rejects with a CommandError that says what
 * prevents the copy.
 */
export async function importFromUnleash(
  remote: Remote,
  address: string,
  options: MoveOptions,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const token = unleashToken(options.unleashTokenFile, variables);
  await requireAdministrator(remote);
  const content = await readUnleash(address, token);
  const missing = missingSegments(content);
  if (missing.length > 0)
    throw new CommandError(
      `Flags use segments that Unleash does not list: ${missing.join(', ')}. Nothing was planned.`,
    );
  const move = translate(content, systemClock.now());
  const differences = differencesOf(move, content, await readHere(remote), options.archive === true);
  const { state, installation } = move;
  const body = { state, installation, archive: options.archive === true ? move.archivedFlags : [] };
  const plan = (await send(remote, 'POST /api/admin/state/plan', body, 'planned')) as MovePlan;
  if (plan.changes.length > 0) console.log(`${describeEntities(plan.changes)}\n`);
  const skipped = plan.skipped.map(({ message, names }) => ({ message: `Left out: ${message}`, items: names }));
  for (const note of [...move.notes, ...skipped, ...differences]) console.log(describeNote(note));
  if (plan.errors.length > 0)
    throw new CommandError(plan.errors.map(({ path, message }) => `${path} ${message}`.trim()).join('\n'));
  if (plan.changes.length === 0) {
    console.log('No changes.');
    return 0;
  }
  if (options.apply !== true) {
    console.log(summaryOf(plan.changes));
    console.log('Nothing was changed. Run the command again with --apply to apply the plan.');
    return differs;
  }
  if (plan.permissions.length > 0)
    throw new CommandError(plan.permissions.map(({ message, names }) => describeNeed(message, names)).join('\n'));
  // Unleash decides what is on until the move is done.
  const applied = await send(
    remote,
    'POST /api/admin/state/apply',
    { ...body, override: true, fingerprint: plan.fingerprint },
    'changed',
  );
  const { apiTokens } = applied as Applied;
  if (apiTokens.length > 0) console.log('\nNew API tokens. Their secrets are shown this once:');
  for (const { tokenName, type, environment, projects, secret } of apiTokens)
    console.log(`${tokenName} (${type}, ${environment}, ${projects.join(' ')}): ${secret}`);
  console.log(`${summaryOf(plan.changes)}\nApplied.`);
  return 0;
}

/** Rejects when the token for Yardarm is unknown or not that of an administrator, by a plan that has nothing in it. */
async function requireAdministrator(remote: Remote): Promise<void> {
  const empty = { state: { version: 1 }, installation: {} };
  const { permissions } = (await remote.call('POST /api/admin/state/plan', empty)) as Plan;
  if (permissions.length > 0)
    throw new CommandError(
      `The token for Yardarm (${remote.url}) is not that of an administrator. Nothing was read from Unleash.`,
    );
}

/** Sends a request about the content. Rejects with a line for each refused value, which names the object. */
async function send(
  remote: Remote,
  route: RouteKey,
  body: { readonly installation: Installation; readonly override?: boolean; readonly fingerprint?: string },
  done: string,
): Promise<unknown> {
  try {
    return await remote.call(route, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const lines = error.details.map(({ path = '', message }) => {
      const inner = path.replace(/^state\./, '');
      return inner === path ? nameInInstallation(message, body.installation) : message.replace(path, inner);
    });
    const [first = ''] = error.message.split('\n');
    throw new CommandError(
      [lines.length === 0 ? first : '', ...lines, `Nothing was ${done}.`].filter(Boolean).join('\n'),
    );
  }
}

/** Replaces the position of an object in a list of the installation by the name of the object. */
function nameInInstallation(message: string, installation: Installation): string {
  return message.replace(/installation\.(\w+)\.(\d+)/, (place, list: string, index: string) => {
    const object = (installation as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>)[list]?.[
      Number(index)
    ];
    const name = object?.['name'] ?? object?.['username'] ?? object?.['email'] ?? object?.['tokenName'];
    const value = object?.['value'] === undefined ? name : `${String(object['type'])}:${String(object['value'])}`;
    return value === undefined ? place : `${list} ${String(value)}`;
  });
}
