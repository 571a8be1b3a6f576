import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { addressOf } from '#app/address.ts';
import { startApp } from '#app/app.ts';
import { backUpTo, restoreFrom, standardStream, verifyBackup } from '#app/backup.ts';
import { runDemo } from '#app/demo.ts';
import { AddressUnusable } from '#app/free-port.ts';
import { recover } from '#app/recover.ts';
import { startReplica } from '#app/replica.ts';
import { forgetSecrets } from '#app/sealed-secrets.ts';
import {
  firstAdminText,
  forgottenText,
  recoveredText,
  replicaText,
  servingText,
  unevenText,
} from '#app/terminal-texts.ts';
import { vacuum } from '#app/vacuum.ts';
import { version, versionWithCommit } from '#app/version.ts';
import { CommandError } from '#cli/command-error.ts';
import { checkHealth } from '#cli/health.ts';
import { registerRemoteCommands } from '#cli/register.ts';
import { typedPath } from '#cli/typed-path.ts';
import {
  ConfigError,
  describeConfig,
  ignoredDatabaseVariables,
  ignoredUnleashVariables,
  loadConfig,
} from '#config/load.ts';
import type { Config } from '#config/settings.ts';
import { systemClock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { createLog } from '#observe/log.ts';
import { BackupError } from '#storage/backup/format.ts';
import { openDatabase } from '#storage/database.ts';
import { DatabaseUnusable } from '#storage/driver-errors.ts';
import { SecretsUnreadable } from '#storage/sealed-rows.ts';
import { DirectoryInUse } from '#storage/sqlite/directory-lock.ts';

/** The exit code of a program that SIGPIPE ended, which Node.js ignores. */
const brokenPipe = 141;

/**
 * Runs the command line. Sets the exit code; never throws. Ends the process when the reader of its output has ended,
 * such as `head`.
 */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(brokenPipe);
    console.error(`The output cannot be written: ${error.message}`);
    process.exit(1);
  });
  try {
    await createProgram().parseAsync([...argv]);
  } catch (error) {
    const isExpected = [
      CommandError,
      ConfigError,
      DirectoryInUse,
      DatabaseUnusable,
      AddressUnusable,
      BackupError,
      SecretsUnreadable,
      Problem,
    ].some((kind) => error instanceof kind);
    console.error(isExpected ? (error as Error).message : error);
    process.exitCode = 1;
  }
}

/** Returns the commands with their options. */
export function createProgram(): Command {
  const program = new Command('yardarm')
    .description('Feature flags that outside systems can act on')
    .option('-V, --version', 'print the version and the commit')
    .on('option:version', () => {
      console.log(versionWithCommit());
      process.exit(0);
    })
    .option('--config <file>', 'settings as lines of NAME=value; the environment beats it');
  const config = () => {
    const { config: file } = program.opts<{ config?: string }>();
    return loadConfig(file === undefined ? process.env : { ...process.env, YARDARM_CONFIG: typedPath(file) });
  };
  program
    .command('start')
    .description('serve')
    .action(() => serve(config()));
  program
    .command('replica')
    .description('serve SDKs from the flags of another server, without a database')
    .action(() => serveReplica(config()));
  program
    .command('demo')
    .description('serve a made-up company on this machine only, and delete its data when it stops')
    .option('--port <port>', 'port to listen on', parsePort, 4242)
    .action(({ port }: { port: number }) => demo(port));
  program
    .command('config')
    .description('print the settings in force')
    .action(() => console.log(describeConfig(config())));
  program
    .command('health')
    .description('ask the server on this machine whether it is healthy; exit code 1 when it is not')
    .action(() => {
      const settings = config();
      return checkHealth(addressOf(settings, settings.port));
    });
  addDatabaseCommands(program, config);
  registerRemoteCommands(program);
  return program;
}

/** Adds the commands that open the database themselves, without a server. */
function addDatabaseCommands(program: Command, config: () => Config): void {
  program
    .command('migrate')
    .description('bring the database up to date and stop')
    .action(() => migrate(config()));
  program
    .command('backup <file>')
    .description('write all that the database holds to a new file (- is standard output), while servers use it')
    .action(async (file: string) => {
      const rows = await backUpTo(config(), backupPath(file), console.error);
      // Standard output may be the backup.
      if (file === standardStream) console.error(`Wrote ${rows} rows.`);
      else console.log(`Wrote ${rows} rows to ${typedPath(file)}.`);
    });
  program
    .command('restore <file>')
    .description('fill an empty database, SQLite or PostgreSQL, from a backup of either (- is standard input)')
    .action(async (file: string) => {
      const rows = await restoreFrom(config(), backupPath(file), console.error);
      console.log(`Restored ${rows} rows from ${file === standardStream ? 'standard input' : typedPath(file)}.`);
    });
  program
    .command('verify <file>')
    .description('check that a backup (- is standard input) can be restored, in a temporary copy in the data directory')
    .action(async (file: string) => {
      const { rows, uneven } = await verifyBackup(config(), backupPath(file), console.error);
      console.log(`The backup is complete and can be restored: ${rows} rows.`);
      if (uneven.length > 0) console.log(unevenText(uneven));
    });
  program
    .command('vacuum')
    .description('give the free space of the database back to the disk; with SQLite no server may run meanwhile')
    .action(async () => console.log(await vacuum(config())));
  program
    .command('recover [username]')
    .description('turn logins with passwords on again, and give a user a new password: for who is locked out')
    .action(async (username?: string) =>
      console.log(recoveredText(username, await recover(config(), username, console.error))),
    );
  program
    .command('forget-secrets')
    .description('remove stored secrets that were encrypted with an UNLEASH_SECRET that is lost')
    .action(async () => console.log(forgottenText(await forgetSecrets(config(), console.error))));
}

const backupPath = (file: string) => (file === standardStream ? file : typedPath(file));

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new CommandError(`--port is ${text}. Give a number from 0 to 65535.`);
  return port;
}

async function serve(config: Config): Promise<void> {
  let fresh = false;
  const log = createLog(config.logLevel);
  const ignoredParts = ignoredDatabaseVariables(process.env, config);
  if (ignoredParts.length > 0) {
    log.warn(
      { settings: ignoredParts },
      'these settings are not used, and data goes into SQLite: name the database in DATABASE_URL',
    );
  }
  const ignored = ignoredUnleashVariables(process.env);
  if (ignored.length > 0) log.warn({ settings: ignored }, 'these variables of Unleash have no effect here');
  const app = await startApp(config, {
    log,
    onFirstAdmin: (admin) => {
      fresh = true;
      console.log(firstAdminText(admin));
    },
    onServing: (url) => console.log(servingText(version, url, config.authType, fresh)),
  });
  stopOnSignal(app);
}

/** Stops a process on SIGTERM and SIGINT, and ends it at the second signal. */
function stopOnSignal(started: { stop(): Promise<void> }): void {
  let signals = 0;
  const stop = () => {
    signals++;
    if (signals > 1) process.exit(1);
    started.stop().catch((error) => {
      console.error(error);
      process.exitCode = 1;
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function serveReplica(config: Config): Promise<void> {
  const mistakes = [
    ...(config.upstreamUrl === '' ? ['YARDARM_UPSTREAM_URL is missing: the address of the server'] : []),
    ...(config.replicaToken === undefined && config.authType !== 'none'
      ? ['YARDARM_REPLICA_TOKEN is missing: an API token of the type replica']
      : []),
  ];
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const replica = await startReplica(config, { log: createLog(config.logLevel) });
  console.log(replicaText(version, replica.url, config.upstreamUrl));
  stopOnSignal(replica);
}

async function demo(port: number): Promise<void> {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  process.once('SIGINT', () => stop.abort());
  const pauseUntilStopped = (seconds: number) => pause(seconds * 1000, undefined, { signal: stop.signal });
  await runDemo({ port, pause: pauseUntilStopped, stopped: stop.signal, tell: console.log });
}

async function migrate(config: Config): Promise<void> {
  const database = await openDatabase(config, systemClock, `process ${process.pid}, migrating`, console.error);
  await database.close();
  console.log(database.migrated.length === 0 ? 'The database is up to date.' : `Ran ${database.migrated.join(', ')}.`);
}
