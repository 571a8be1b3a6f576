// `npm run dev`: serves the demo, which starts again when a file of the server changes, and the user interface with
// live reload in front of it. Stops both on Ctrl-C, or when one of them ends by itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { root } from './bundle.ts';

const { values: ports } = parseArgs({
  options: { server: { type: 'string', default: '4242' }, interface: { type: 'string', default: '5173' } },
});

/**
 * Starts Node in a folder of the repository, with the output of this process. It has a process group of its own, so
 * that Ctrl-C reaches it once, from here: a second signal would end the demo before it has deleted its data.
 */
function startNode(folder: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: `${root}${folder}`,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...variables },
  });
}

const watched = ['apps/server/src', 'packages'].flatMap((folder) => ['--watch-path', folder]);
// In Node's watch mode, each worker thread reports its modules as messages to the code that started the thread, which
// would take them for answers. The folders are watched instead.
const withoutReports = ['--import', 'data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES'];
const demo = ['apps/server/bin/yardarm.js', 'demo', '--port', ports.server];
const server = startNode('.', [...watched, '--watch-preserve-output', ...withoutReports, ...demo]);
const vite = startNode(
  'apps/admin',
  [`${root}node_modules/vite/bin/vite.js`, '--port', ports.interface, '--strictPort'],
  {
    YARDARM_URL: `http://127.0.0.1:${ports.server}`,
  },
);
const children = [server, vite];
const ends = children.map((child) => once(child, 'exit'));

let isAskedToStop = false;
function stop(): void {
  for (const child of children) if (!child.killed) child.kill('SIGTERM');
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isAskedToStop = true;
    stop();
  });
}
await Promise.race(ends);
stop();
await Promise.all(ends);
process.exitCode = isAskedToStop ? 0 : 1;
