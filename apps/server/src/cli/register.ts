import type { Command } from 'commander';
import { CommandError } from './command-error.ts';
import { type ExportEventsOptions, exportEvents, type TailOptions, tailEvents } from './event-commands.ts';
import { connect, type RemoteOptions } from './remote.ts';
import { type ApplyFolderOptions, applyFolder, type PullOptions, pullFolder } from './state-commands.ts';
import { exportTo, importFrom } from './transfer-commands.ts';
import { typedPath } from './typed-path.ts';
import { importFromUnleash, type MoveOptions } from './unleash/command.ts';
import { type BackOptions, exportForUnleash } from './unleash/export-for-unleash.ts';

type PulledOptions = Omit<PullOptions, 'switches'> & { readonly withoutSwitches?: boolean };

/** Adds the commands that call a running server with the rights of the given token. */
export function registerRemoteCommands(program: Command): void {
  const remoteCommand = (usage: string, description: string, parent = program) =>
    parent
      .command(usage)
      .description(description)
      .option('--url <url>', 'URL of the server (default: YARDARM_URL, then http://localhost:4242)')
      .option('--token-file <file>', 'file with a personal or admin token (default: YARDARM_TOKEN)', (file) =>
        typedPath(file),
      );
  registerStateCommands(remoteCommand);
  registerExport(remoteCommand);
  remoteCommand('import <file>', 'import an export of Unleash or Yardarm')
    .requiredOption('--project <id>', 'the project to import into')
    .requiredOption('--environment <name>', 'the environment to import into')
    .option('--dry-run', 'only show the changes; exit code 2 when there are any')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (file: string, options: Parameters<typeof importFrom>[2] & RemoteOptions) => {
      process.exitCode = await importFrom(connect(options, process.env), typedPath(file), options);
    });
  remoteCommand(
    'import-from-unleash <unleash>',
    'plan to copy everything from a running Unleash; --apply applies the plan',
  )
    .option(
      '--unleash-token-file <file>',
      'file with an admin token of Unleash, - for standard input (default: UNLEASH_TOKEN)',
      (file) => (file === '-' ? file : typedPath(file)),
    )
    .option(
      '--apply',
      'apply the plan, all of it or nothing (default: only show it; exit code 2 when there are changes)',
    )
    .option('--archive', 'also archive the flags that are archived in Unleash')
    .action(async (unleash: string, options: MoveOptions & RemoteOptions) => {
      process.exitCode = await importFromUnleash(connect(options, process.env), unleash, options, process.env);
    });
  registerEventCommands(program, remoteCommand);
}

type RemoteCommand = (usage: string, description: string, parent?: Command) => Command;

function registerStateCommands(remoteCommand: RemoteCommand): void {
  remoteCommand('apply <folder>', 'apply a folder of YAML files to the server, or a plan that --check --out wrote')
    .option('--prune', 'archive flags of the listed projects that the folder does not list')
    .option('--dry-run', 'only show the changes; exit code 2 when there are any')
    .option('--check', 'the same as --dry-run; both say which permissions the token lacks')
    .option(
      '--out <file>',
      'with --check, write the plan to this file, which apply takes in place of the folder',
      (file) => typedPath(file),
    )
    .option('--override', 'switch on also what people or automation have switched off since the pull or the last apply')
    .option('--json', 'print the changes and the result as JSON')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (folder: string, options: ApplyFolderOptions & RemoteOptions) => {
      process.exitCode = await applyFolder(connect(options, process.env), typedPath(folder), options);
    });
  remoteCommand('pull <folder>', 'write the state of the server to a folder of YAML files')
    .option('--projects <ids>', 'only these projects, comma-separated', list)
    .option('--force', 'replace the files of an earlier pull; keeps who switches which flags')
    .option('--without-switches', 'leave out which flags are on: people switch the flags of these projects')
    .option('--json', 'print the written files as JSON')
    .action((folder: string, options: RemoteOptions & PulledOptions) =>
      pullFolder(connect(options, process.env), typedPath(folder), {
        ...options,
        switches: options.withoutSwitches !== true,
      }),
    );
}

function registerExport(remoteCommand: RemoteCommand): void {
  remoteCommand('export', "export the flags of an environment in Unleash's format")
    .requiredOption('--environment <name>', 'the environment')
    .option('--project <id>', 'all flags of a project')
    .option('--tag <tag>', 'flags with a tag: value, or type:value')
    .option('--features <names>', 'these flags, comma-separated', list)
    .option(
      '--whole-segments',
      'include the constraints of segments, for a Yardarm without these segments; Unleash refuses such a file',
    )
    .option('--output <file>', 'write to this new file (default: standard output)', (file) => typedPath(file))
    .option('--for-unleash', 'write what Unleash 8.2 imports, and say what it lacks or evaluates differently')
    .option(
      '--split <flags>',
      'with --for-unleash: files of at most so many flags and 500 kB, parents first; --output flags.json writes flags-1.json and so on',
      flagsPerFile,
    )
    .option(
      '--create-in <unleash>',
      'with --for-unleash: create missing segments and custom strategies in this Unleash',
    )
    .option(
      '--unleash-token-file <file>',
      'file with an admin token of Unleash, - for standard input (default: UNLEASH_TOKEN)',
      (file) => (file === '-' ? file : typedPath(file)),
    )
    .action((options: BackOptions & RemoteOptions & { readonly forUnleash?: boolean }) => {
      if (options.forUnleash === true) return exportForUnleash(connect(options, process.env), options, process.env);
      if (options.split !== undefined || options.createIn !== undefined)
        throw new CommandError('--split and --create-in need --for-unleash.');
      return exportTo(connect(options, process.env), options);
    });
}

function registerEventCommands(program: Command, remoteCommand: RemoteCommand): void {
  const events = program.command('events').description('read the event log of the server');
  const feedCommand = (usage: string, description: string, after: string) =>
    remoteCommand(usage, description, events)
      .option('--after <id>', 'only events after this id; 0 is the beginning of the log, newest its end', after)
      .option('--types <types>', 'only these event types, comma-separated')
      .option('--project <ids>', 'only these projects, comma-separated')
      .option('--environment <names>', 'only these environments, comma-separated')
      .option('--feature <names>', 'only these flags, comma-separated');
  feedCommand('tail', 'print events as they happen', 'newest')
    .option('--json', 'print each event as a line of JSON')
    .action((options: TailOptions & RemoteOptions) => {
      const { url, tokenFile, ...tail } = options;
      return tailEvents(connect({ url, tokenFile }, process.env), tail);
    });
  feedCommand('export', 'write all events up to now, oldest first', '0')
    .option('--format <format>', 'ndjson, json or csv', 'ndjson')
    .option('--output <file>', 'write to this new file (default: standard output)', (file) => typedPath(file))
    .action((options: ExportEventsOptions & RemoteOptions) => {
      const { url, tokenFile, ...exported } = options;
      return exportEvents(connect({ url, tokenFile }, process.env), exported);
    });
}

function list(text: string): string[] {
  return text.split(',').filter((entry) => entry !== '');
}

function flagsPerFile(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CommandError(`--split ${text} must be a whole number from 1.`);
  return Number(text);
}
