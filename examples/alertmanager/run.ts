import { randomBytes } from 'node:crypto';
import { playPlan } from './plan-story.ts';
import { findInstalled } from './programs.ts';
import { Report } from './report.ts';
import { Scene } from './scene.ts';
import { play, start } from './story.ts';

// Starts Yardarm, Alertmanager, Prometheus and a shop, breaks the shop and shows what happens. See README.md.
//
//   --plan   releases the broken checkout gradually: the alert halts the release plan, and the repair lets it complete
//   --json   a line of JSON for each step, for programs to read
//   --keep   leaves it all running in the end, to look around, until ctrl-C

const options = process.argv.slice(2);
const known = new Set(['--plan', '--json', '--keep']);
const unknown = options.find((option) => !known.has(option));
if (unknown !== undefined) {
  console.error(`There is no option ${unknown}.\nUsage: npm run example:alertmanager [-- --plan --json --keep]`);
  process.exit(2);
}
const report = new Report(options.includes('--json'));

const stop = new AbortController();
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    // A second signal ends the process at once.
    if (stop.signal.aborted) process.exit(code);
    process.exitCode = code;
    stop.abort(new Error(`Stopped by ${signal}.`));
  });
}

// A reader of the output may end early, such as `| head`.
process.stdout.on('error', () => {
  process.exitCode = 141;
  stop.abort(new Error('Stopped: the output was closed.'));
});

/** Prints the error, unless the run was stopped on request. */
function fail(error: unknown, output = ''): void {
  if (stop.signal.aborted) {
    console.error(stop.signal.reason.message);
    return;
  }
  process.exitCode = 1;
  console.error(error instanceof Error ? error.message : error);
  if (output !== '') console.error(`\n${output}`);
}

async function main(): Promise<void> {
  const installed = findInstalled();
  const secrets = {
    adminToken: `*:*.${randomBytes(32).toString('hex')}`,
    adminPassword: `Aa1!${randomBytes(12).toString('base64url')}`,
  };
  const scene = new Scene(stop.signal);
  report.tell({ step: 'directory', text: `All is in ${scene.directory}`, more: { directory: scene.directory } });
  try {
    const isPlan = options.includes('--plan');
    const stage = await start(scene, report, { installed, secrets, isOn: !isPlan });
    await (isPlan ? playPlan(stage) : play(stage));
    if (options.includes('--keep')) await keep(scene, stage.admin.url, secrets.adminPassword);
  } catch (error) {
    fail(error, scene.output());
  } finally {
    await scene.end();
    report.tell({ step: 'ended', text: 'Everything that was started has been stopped' });
  }
}

async function keep(scene: Scene, url: string, password: string): Promise<void> {
  report.heading('Everything is left running until ctrl-C');
  report.tell({ step: 'kept', text: `Log in at ${url} as admin with the password ${password}` });
  await scene.until('ctrl-C', () => undefined, Number.POSITIVE_INFINITY);
}

await main().catch((error: unknown) => fail(error));
