import type { Command } from 'commander';
import { connect, type RemoteOptions } from './remote.ts';
import { type ApplyOptions, applyFolder, pullFolder } from './state-commands.ts';
import { type ExportOptions, exportTo, importFrom } from './transfer-commands.ts';
import { typedPath } from './typed-path.ts';
import { importFromUnleash, type MoveOptions } from './unleash/command.ts';

/** Adds the commands that speak to a running server, as whoever the token is of. */
export function registerRemoteCommands(program: Command): void {
  const remoteCommand = (usage: string, description: string) =>
    program
      .command(usage)
      .description(description)
      .option('--url <url>', 'where the server is (YARDARM_URL, else http://localhost:4242)')
      .option('--token-file <file>', 'holds a personal or admin token (else YARDARM_TOKEN)', (file) => typedPath(file));
  remoteCommand('apply <folder>', 'make projects and flags what a folder of YAML says')
    .option('--prune', 'archive flags of the projects it names that it does not name')
    .option('--dry-run', 'only show the difference; exit code 2 when there is one')
    .option('--check', 'the same as --dry-run')
    .option('-y, --yes', 'do not ask')
    .action(async (folder: string, options: ApplyOptions & RemoteOptions) => {
      process.exitCode = await applyFolder(connect(options, process.env), typedPath(folder), options);
    });
  remoteCommand('pull <folder>', 'write what a server has as a folder of YAML')
    .option('--projects <ids>', 'only these, with commas between', list)
    .option('--force', 'replace files that an earlier pull wrote')
    .action((folder: string, options: RemoteOptions & { projects?: string[]; force?: boolean }) =>
      pullFolder(connect(options, process.env), typedPath(folder), options),
    );
  remoteCommand('export', 'write flags as they are in an environment in the format of Unleash')
    .requiredOption('--environment <name>', 'the environment')
    .option('--project <id>', 'all flags of a project')
    .option('--tag <tag>', 'flags with a tag: its value, or type:value')
    .option('--features <names>', 'these flags, with commas between', list)
    .option(
      '--whole-segments',
      'with the constraints of segments, for a Yardarm that lacks them; Unleash refuses these',
    )
    .option('--output <file>', 'a file that is not there yet (else it is printed)', (file) => typedPath(file))
    .action((options: ExportOptions & RemoteOptions) => exportTo(connect(options, process.env), options));
  remoteCommand('import <file>', 'import an export of Unleash or Yardarm')
    .requiredOption('--project <id>', 'the project to import into')
    .requiredOption('--environment <name>', 'the environment to import into')
    .option('--dry-run', 'only show what would change; exit code 2 when something would')
    .option('-y, --yes', 'do not ask')
    .action(async (file: string, options: Parameters<typeof importFrom>[2] & RemoteOptions) => {
      process.exitCode = await importFrom(connect(options, process.env), typedPath(file), options);
    });
  remoteCommand('import-from-unleash <unleash>', 'plan to move all that a running Unleash has, and with --apply do it')
    .option(
      '--unleash-token-file <file>',
      'holds an admin token of Unleash, - for standard input (else UNLEASH_TOKEN)',
      (file) => (file === '-' ? file : typedPath(file)),
    )
    .option('--apply', 'do it: all of it or nothing (else the plan is shown, with exit code 2 when something differs)')
    .action(async (unleash: string, options: MoveOptions & RemoteOptions) => {
      process.exitCode = await importFromUnleash(connect(options, process.env), unleash, options, process.env);
    });
}

function list(text: string): string[] {
  return text.split(',').filter((one) => one !== '');
}
