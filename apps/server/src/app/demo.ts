import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '#config/load.ts';
import { historyMs, liveThroughMonth, PastClock, password, playStory, type Telling } from '#demo/index.ts';
import { startApp } from './app.ts';

export interface DemoOptions extends Telling {
  readonly port: number;
  /** Aborted by the caller to end the demo. */
  readonly stopped: AbortSignal;
}

/**
 * Serves a made-up company with a month of history on the loopback address, and plays a story until `stopped`, which
 * makes `pause` reject. Its data is in a new directory, which is deleted at the end. Settings of the environment do
 * not apply, so that a demo cannot reach real data. Rejects when it cannot listen on the port.
 */
export async function runDemo({ port, pause, stopped, tell }: DemoOptions): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'yardarm-demo-'));
  try {
    const config = {
      ...loadConfig({ YARDARM_DATA_DIR: directory, HTTP_HOST: '127.0.0.1' }),
      port,
      adminPassword: password,
      // The requests of a month are sent within seconds, so rate limits would refuse them.
      loginRatePerMinute: 0,
      createUserRatePerMinute: 0,
      signalRatePerSecond: 0,
    };
    const clock = new PastClock(historyMs);
    tell('Creating a month of history …');
    const app = await startApp(config, { clock, log: pino({ level: 'error' }) });
    try {
      const settled = () => app.service.actions.settled();
      const ordersStored = () => app.service.impactMetrics.flush();
      const senders = await liveThroughMonth({ url: app.url, clock, settled, ordersStored, stopped });
      await app.service.usage.flush();
      tell(demoText(app.url, directory));
      await playStory(senders, { pause, tell });
    } finally {
      await app.stop();
    }
  } catch (error) {
    // An abort makes `pause` reject, which is how the demo ends.
    if (!stopped.aborted) throw error;
  } finally {
    rmSync(directory, { recursive: true, force: true });
    tell('The data of the demo is deleted.');
  }
}

function demoText(url: string, directory: string): string {
  return `
  A demo of Yardarm serves on ${url}, for this machine alone.

    user name  ada          an administrator; bruno, chen and dara are Editors, emil is a Viewer
    password   ${password}

  Its data is in ${directory} and is deleted when it stops (Ctrl-C).
  The company sells garden tools: 4 projects, 60 flags and a month of changes, signals and usage. A story goes on:
`;
}
