import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../apps/server/src/app/app.ts';
import { loadConfig } from '../../apps/server/src/config/load.ts';
import { createLog } from '../../apps/server/src/observe/log.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
}

/** Returns the page of the metrics that a server exposes. Starts a server to read them. */
export async function metricsPage(): Promise<string> {
  const metrics = await readMetrics();
  const ofProcess = (metric: Metric) => /^(?:process|nodejs)_/.test(metric.name);
  return `# Metrics

\`GET /metrics\` answers in the text format of Prometheus. Alert rules are in the guides
[On call](../guides/on-call.md) and [Operating](../guides/operating.md).

${table(metrics.filter((metric) => !ofProcess(metric)))}

## Process

${table(metrics.filter(ofProcess))}
`;
}

async function readMetrics(): Promise<Metric[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'yardarm-metrics-'));
  try {
    const config = loadConfig({ HTTP_HOST: '127.0.0.1', PORT: '0', YARDARM_DATA_DIR: dataDir });
    const app = await startApp(config, { log: createLog('fatal'), onFirstAdmin: () => undefined });
    try {
      const answer = await fetch(`${app.url}/metrics`);
      if (answer.status !== 200) throw new Error(`/metrics was answered with ${answer.status}`);
      return parse(await answer.text());
    } finally {
      await app.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Returns the metrics with their names, help texts and types. The values are ignored: the server is empty. */
function parse(text: string): Metric[] {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const all = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => ({
    name,
    help,
    type: types.get(name) ?? '',
  }));
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function table(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help.replaceAll('|', '\\|')} |`);
  return `| Metric | Type | Meaning |\n|---|---|---|\n${rows.join('\n')}`;
}
