import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { givenActionPlace, signal } from '../../apps/server/testing/actions.ts';
import { useServer } from '../../apps/server/testing/server.ts';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: Place;
  readonly targets?: readonly { readonly expr: string }[];
}

const file = new URL('../../examples/grafana/dashboard.json', import.meta.url);
const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(readFileSync(file, 'utf8'));
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
const server = useServer();

it('each metric and route of the Grafana dashboard exists', async () => {
  const place = await givenActionPlace(server());
  await signal(server(), place, { any: 'signal' });
  await server().anonymous.call('GET /api/client/features', { query: {} });
  const { text } = await server().anonymous.call('GET /internal-backstage/prometheus');
  const named = new Set(queries.flatMap(({ expr }) => expr.match(/\b[a-z0-9_]+(?=\{)/g) ?? []));
  expect(named.size).toBeGreaterThan(20);
  const exposed = (name: string) => text.includes(`# HELP ${name.replace(/_(bucket|count|sum)$/, '')} `);
  expect([...named].filter((name) => !exposed(name))).toEqual([]);
  expect(text).toContain('route="/api/signal-endpoint/:name"');
  expect(text).toContain('route="/api/client/features"');
});

it('Prometheus accepts each query of the Grafana dashboard', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'dashboard-'));
  try {
    const rules = queries.map(({ expr }, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }));
    const path = join(directory, 'rules.json');
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', path]);
    expect(stdout).toContain(`SUCCESS: ${queries.length} rules found`);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it('the panels of the Grafana dashboard have ids of their own and do not overlap', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const overlaps = ({ gridPos: a }: Panel, { gridPos: b }: Panel) =>
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  const pairs = panels.flatMap((panel, index) => panels.slice(index + 1).map((other) => [panel, other] as const));
  expect(pairs.filter(([panel, other]) => overlaps(panel, other))).toEqual([]);
});
