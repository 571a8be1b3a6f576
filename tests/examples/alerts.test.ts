import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { givenActionPlace, givenSet, signal, turning } from '../../apps/server/testing/actions.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { send } from '../../apps/server/testing/signals.ts';

const folder = new URL('../../examples/alerts/', import.meta.url);
const server = useServer();

it('the alert rules are valid, and fire when they should', async () => {
  const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', 'rules.test.yml'], { cwd: folder });
  expect(stdout).toContain('SUCCESS');
});

it('each metric of the alert rules exists', async () => {
  const place = await givenActionPlace(server());
  const { projectId: project, flag } = place;
  const actions = [turning('ON', project, '{{flag}}')];
  await givenSet(server(), { actions, allow: { flags: [flag.featureName] } }, place);
  await signal(server(), place, { flag: 'elsewhere' });
  const hold = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases';
  await server().admin.call(hold, { params: flag, body: { effect: 'off' } });
  await send(server(), { ...place.endpoint, token: 'wrong' }, '{}');
  const { text } = await server().anonymous.call('GET /internal-backstage/prometheus');
  const values = new Map(text.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), line] as const));
  expect(values.get('action_runs_total{state="failed"}')).toMatch(/ 1$/);
  expect(values.get('holds_open{effect="off"}')).toMatch(/ 1$/);
  expect(values.get('automation_frozen{scope="all"}')).toMatch(/ 0$/);
  expect(text).toMatch(/^signals_refused_total\{reason="unknown token"\} [1-9]/m);
  const rules = readFileSync(new URL('rules.yml', folder), 'utf8');
  const suffixes = 'total|seconds|seconds_count|open|frozen|silent|lag|fds';
  const found = rules.match(new RegExp(`\\b[a-z]+(?:_[a-z]+)*_(?:${suffixes})\\b`, 'g')) ?? [];
  const named = new Set(found.map((name) => name.replace(/_count$/, '')));
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((name) => !text.includes(`# HELP ${name} `))).toEqual([]);
});
