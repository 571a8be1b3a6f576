import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../postgres/cluster.sh', import.meta.url));
const run = promisify(execFile);

/** A PostgreSQL server that a test may stop, start and break. Needs its binaries, as `.ci/run` installs them. */
export class PostgresCluster {
  readonly url: string;
  /** The directory of the server. Its subdirectory `data` has the databases. */
  readonly directory: string;
  /** The processes that `freeze` paused, the main process first. */
  #frozen: number[] = [];

  private constructor(url: string, directory: string) {
    this.url = url;
    this.directory = directory;
  }

  static async start(): Promise<PostgresCluster> {
    const exports = await control('start', undefined);
    const value = (name: string) => new RegExp(`^export ${name}=(.*)$`, 'm').exec(exports)?.[1] ?? '';
    return new PostgresCluster(value('DATABASE_URL'), value('TEST_POSTGRES_DIR'));
  }

  /** Starts an asynchronous standby of this server, with all of its data. */
  async standby(): Promise<PostgresCluster> {
    const exports = await control('standby', this.directory);
    const value = (name: string) => new RegExp(`^export ${name}=(.*)$`, 'm').exec(exports)?.[1] ?? '';
    const url = new URL(this.url);
    url.port = value('TEST_POSTGRES_PORT');
    return new PostgresCluster(url.href, value('TEST_POSTGRES_DIR'));
  }

  /** Makes this standby a primary, which accepts changes. */
  async promote(): Promise<void> {
    await control('promote', this.directory);
  }

  /** Shuts the server down cleanly, so that its files can be moved. */
  async halt(): Promise<void> {
    await control('halt', this.directory);
  }

  /** Kills the server, like a power cut: it closes no connection properly and writes nothing. */
  async crash(): Promise<void> {
    await control('crash', this.directory);
  }

  /** Starts the server again, on the same port. */
  async resume(): Promise<void> {
    await control('resume', this.directory);
  }

  get isRunning(): boolean {
    return existsSync(`/proc/${this.#firstPid()}`);
  }

  /** Returns the processes that the server's main process has started, with the titles that they set. */
  workers(): { pid: number; title: string }[] {
    const first = this.#firstPid();
    const pids = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ');
    return pids.map((pid) => ({ pid: Number(pid), title: titleOf(pid) }));
  }

  /**
   * Pauses all processes of the server without closing connections, like a machine that hangs. `thaw` continues them.
   */
  freeze(): void {
    const first = Number(this.#firstPid());
    process.kill(first, 'SIGSTOP');
    while (!isPaused(first));
    // Workers that end from here on keep their pids, since only the main process could remove them.
    this.#frozen = [first, ...this.workers().map(({ pid }) => pid)];
    for (const pid of this.#frozen) process.kill(pid, 'SIGSTOP');
  }

  /** Continues the processes that `freeze` paused, the main process last. Does nothing if the server is not frozen. */
  thaw(): void {
    for (const pid of this.#frozen.splice(0).reverse()) process.kill(pid, 'SIGCONT');
  }

  /** Runs SQL as the superuser; returns its output. */
  async sql(text: string): Promise<string> {
    return control('sql', this.directory, text);
  }

  /** Stops the server and removes its directory. */
  async stop(): Promise<void> {
    await control('stop', this.directory);
    rmSync(this.directory, { recursive: true, force: true });
  }

  #firstPid(): string {
    const file = join(this.directory, 'data', 'postmaster.pid');
    return existsSync(file) ? (readFileSync(file, 'utf8').split('\n', 1)[0] ?? '') : 'stopped';
  }
}

/** Returns the title of a process, or nothing if the process has ended. */
function titleOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return '';
  }
}

/** Reports whether a process has stopped at SIGSTOP, which takes effect some time after it was sent. */
function isPaused(pid: number): boolean {
  return /^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

async function control(command: string, directory: string | undefined, input = ''): Promise<string> {
  const { DATABASE_URL: _, TEST_POSTGRES_DIR: __, ...env } = process.env;
  const running = run(script, [command], {
    env: directory === undefined ? env : { ...env, TEST_POSTGRES_DIR: directory },
  });
  running.child.stdin?.end(input);
  return (await running).stdout.trim();
}
