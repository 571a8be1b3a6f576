import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { firstOf } from '../../apps/server/src/kernel/lists.ts';

const script = fileURLToPath(new URL('../../examples/alertmanager/run.ts', import.meta.url));

/** A line that the example prints with --json. */
interface Step {
  readonly at: string;
  readonly step: string;
  readonly [key: string]: unknown;
}

interface Ended {
  readonly code: number | null;
  readonly steps: readonly Step[];
  readonly errors: string;
}

interface Options {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each step as soon as it is printed. */
  readonly onStep?: (step: Step, script: ChildProcess) => void;
}

/** Runs the example to its end. */
async function run({ args = [], env = {}, onStep = () => undefined }: Options = {}): Promise<Ended> {
  const child = spawn(process.execPath, [script, '--json', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  const steps: Step[] = [];
  for await (const line of createInterface(child.stdout)) {
    const step = JSON.parse(line) as Step;
    steps.push(step);
    onStep(step, child);
  }
  const [code] = await closed;
  return { code, steps, errors };
}

const names = ({ steps }: Ended) => steps.map(({ step }) => step);
const all = ({ steps }: Ended, name: string) => steps.filter(({ step }) => step === name);

function onlyStep(ended: Ended, name: string): Step {
  const [found, ...more] = all(ended, name);
  if (found === undefined || more.length > 0) throw new Error(`there were ${more.length} steps ${name} too many`);
  return found;
}

/** Returns the working directories of the running processes, from /proc. It names deleted directories too. */
function workingDirectories(): { pid: string; directory: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      return [{ pid, directory: readlinkSync(`/proc/${pid}/cwd`) }];
    } catch {
      // The process has ended in the meantime.
      return [];
    }
  });
}

/** Returns the remains of the example: its directory, and the processes started in it. */
function partsOf(directory: string): string[] {
  const processes = workingDirectories().filter((each) => each.directory.startsWith(directory));
  return [...processes.map(({ pid }) => `process ${pid}`), ...(existsSync(directory) ? [directory] : [])];
}

const leftOf = (ended: Ended) => partsOf(onlyStep(ended, 'directory').directory as string);

describe('the example with Alertmanager', () => {
  it('switches the flag off by an alert and on by its end, and shows the events', async () => {
    const breaking = ['broken', 'alert', 'signal-firing', 'flag-off', 'recovered'];
    const mending = ['mended', 'resolved', 'signal-resolved', 'flag-back', 'back'];
    let parts: string[] = [];
    const ended = await run({
      onStep: ({ step, directory }) => {
        if (step === 'directory') parts = [directory as string];
        if (step === 'healthy') parts = partsOf(firstOf(parts));
      },
    });
    expect(ended.errors).toBe('');
    expect(ended.code).toBe(0);
    const started = ['started', 'set-up', 'started', 'started', 'started'];
    const events = Array.from({ length: 4 }, () => 'event');
    expect(names(ended)).toEqual(['directory', ...started, 'healthy', ...breaking, ...mending, ...events, 'ended']);
    // The times come from different clocks (of Prometheus, Yardarm and the customers), but must be in order.
    for (const some of [breaking, mending]) {
      const times = some.map((name) => onlyStep(ended, name).at);
      expect(times).toEqual(times.toSorted());
    }

    expect(onlyStep(ended, 'alert')).toMatchObject({ alert: 'FeatureFails', flag: 'new-checkout' });
    expect(onlyStep(ended, 'back')).toMatchObject({ failures: 0 });
    const offBy = { createdBy: 'alerts', signalId: onlyStep(ended, 'signal-firing').signalId };
    const backBy = { createdBy: 'alerts', signalId: onlyStep(ended, 'signal-resolved').signalId };
    expect(all(ended, 'event')).toMatchObject([
      { type: 'feature-lease-placed', ...offBy, runId: onlyStep(ended, 'flag-off').runId },
      { type: 'feature-effective-state-changed', ...offBy },
      { type: 'feature-lease-released', ...backBy, runId: onlyStep(ended, 'flag-back').runId },
      { type: 'feature-effective-state-changed', ...backBy },
    ]);

    // The four programs and the directory existed during the run, and are gone now.
    expect(parts).toHaveLength(5);
    expect(leftOf(ended)).toEqual([]);
  });

  it('halts a release plan at 10 % by an alert, and lets it complete after the repair', async () => {
    const breaking = ['plan-added', 'plan-started', 'alert', 'signal-firing', 'flag-off', 'plan-held', 'recovered'];
    const mending = ['mended', 'resolved', 'signal-resolved', 'flag-back', 'plan-anew', 'back'];
    const completing = ['plan-completed', 'everyone'];
    const ended = await run({ args: ['--plan'] });
    expect(ended.errors).toBe('');
    expect(ended.code).toBe(0);
    const course = ['healthy', 'broken', ...breaking, ...mending, ...completing];
    const events = Array.from({ length: 5 }, () => 'event');
    expect(names(ended).filter((name) => name !== 'started')).toEqual([
      ...['directory', 'set-up', ...course, ...events, 'ended'],
    ]);

    const atTen = { milestone: '10 %', waitsFor: [{ gate: 'time', text: '1 more minute at this milestone' }] };
    expect(onlyStep(ended, 'plan-started')).toMatchObject({ ...atTen, state: 'running' });
    expect(onlyStep(ended, 'alert')).toMatchObject({ alert: 'FeatureFails', flag: 'new-checkout' });
    const held = onlyStep(ended, 'plan-held');
    expect(held).toMatchObject({ ...atTen, state: 'held', nextAt: null, reason: 'The flag is held.' });
    const anew = onlyStep(ended, 'plan-anew');
    expect(anew).toMatchObject({ ...atTen, state: 'running' });
    // The minute counts anew from the end of the hold.
    expect(Date.parse(anew.nextAt as string) - Date.parse(anew.at)).toBe(60_000);
    const completed = onlyStep(ended, 'plan-completed');
    expect(completed).toMatchObject({ milestone: '100 %', state: 'completed', trigger: 'time' });
    expect(completed.at >= (anew.nextAt as string)).toBe(true);
    expect(Math.abs((completed.percent as number) - 10)).toBeLessThan(5);
    expect(onlyStep(ended, 'everyone')).toMatchObject({ failures: 0, milestone: '100 %', state: 'completed' });

    const fired = { createdBy: 'alerts', signalId: onlyStep(ended, 'signal-firing').signalId };
    const resolved = { createdBy: 'alerts', signalId: onlyStep(ended, 'signal-resolved').signalId };
    expect(all(ended, 'event')).toMatchObject([
      { type: 'release-plan-added' },
      { type: 'release-plan-milestone-started', milestone: '10 %', trigger: 'added' },
      { type: 'release-plan-progressions-paused', milestone: '10 %', reason: 'The flag is held.', ...fired },
      { type: 'release-plan-progressions-resumed', milestone: '10 %', ...resolved },
      { type: 'release-plan-milestone-started', milestone: '100 %', trigger: 'time' },
    ]);
    expect(leftOf(ended)).toEqual([]);
  }, 240_000);

  it('cleans up when it is stopped halfway', async () => {
    const ended = await run({
      onStep: ({ step }, child) => {
        if (step === 'set-up') child.kill('SIGINT');
      },
    });
    expect(ended).toMatchObject({ code: 130, errors: 'Stopped by SIGINT.\n' });
    expect(names(ended).at(-1)).toBe('ended');
    expect(names(ended)).not.toContain('broken');
    expect(leftOf(ended)).toEqual([]);
  });

  it('cleans up when one of the programs ends, and shows its name and output', async () => {
    const ended = await run({
      onStep: ({ step, name, pid }) => {
        if (step === 'started' && name === 'Prometheus') process.kill(pid as number, 'SIGKILL');
      },
    });
    expect(ended.code).toBe(1);
    expect(ended.errors).toContain('Prometheus has ended (SIGKILL).');
    expect(ended.errors).toContain('Server is ready to receive web requests.');
    expect(names(ended)).not.toContain('alert');
    expect(leftOf(ended)).toEqual([]);
  });

  it('says what to install, and starts nothing, when Prometheus and Alertmanager are missing', async () => {
    const ended = await run({ env: { PATH: '/nowhere', PROMETHEUS: '', ALERTMANAGER: '' } });
    expect(ended).toMatchObject({ code: 1, steps: [] });
    expect(ended.errors).toContain('Prometheus and Alertmanager cannot be found.');
    expect(ended.errors).toContain('apt-get install --no-install-recommends prometheus prometheus-alertmanager');
  });

  it('refuses unknown options', async () => {
    expect(await run({ args: ['--jsno'] })).toMatchObject({
      code: 2,
      steps: [],
      errors: expect.stringContaining('There is no option --jsno.'),
    });
    expect(await run({ env: { PROMETHEUS: '/nowhere/prometheus' } })).toMatchObject({
      code: 1,
      steps: [],
      errors: 'PROMETHEUS names /nowhere/prometheus, which is no program.\n',
    });
  });
});
