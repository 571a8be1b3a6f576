import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, logIn } from '#demo/caller.ts';
import { password, projects } from '#demo/company.ts';
import { runDemo } from './demo.ts';

describe('the demo', () => {
  const told: string[] = [];
  const stop = new AbortController();
  let ended: Promise<void>;
  let url = '';
  let directory = '';
  let ada: Caller;

  beforeAll(async () => {
    // The demo must ignore the settings of the environment, so that it cannot reach the data of a real server.
    vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/real');
    vi.stubEnv('YARDARM_DATA_DIR', '/nowhere');
    const played = Promise.withResolvers<void>();
    const tell = (text: string) => {
      told.push(text);
      if (text.includes('is resolved: new-checkout is on again')) played.resolve();
    };
    const pauseBriefly = () => pause(100, undefined, { signal: stop.signal });
    ended = runDemo({ port: 0, pause: pauseBriefly, stopped: stop.signal, tell });
    await Promise.race([played.promise, ended]);
    const text = told.join('\n');
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
    directory = /data is in (\S+) /.exec(text)?.[1] ?? '';
    ada = await logIn(url, 'ada', password);
  }, 90_000);
  afterAll(async () => {
    stop.abort();
    await ended;
    vi.unstubAllEnvs();
  }, 60_000);

  it('listens on the loopback address alone and says that its data is deleted', () => {
    expect(url).not.toBe('');
    expect(existsSync(directory)).toBe(true);
    expect(told.join('\n')).toContain('is deleted when it stops');
  });

  it('has four projects with sixty flags, and people who can log in', async () => {
    const { projects: listed } = await ada.call('GET /api/admin/projects');
    const ids = (listed as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(projects.map(({ id }) => id)));
    expect((await ada.call('GET /api/admin/search/features?limit=1')).total).toBe(60);
    for (const username of ['bruno', 'chen', 'dara', 'emil']) await logIn(url, username, password);
  });

  it('has a month of events by several people, none of it in the future', async () => {
    const { events } = await ada.call('GET /api/admin/search/events?limit=1000');
    const list = events as { createdAt: string; createdBy: string; type: string }[];
    const times = list.map(({ createdAt }) => Date.parse(createdAt));
    expect(Math.min(...times)).toBeLessThan(Date.now() - 29 * 86_400_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
    expect(new Set(list.map(({ createdBy }) => createdBy)).size).toBeGreaterThanOrEqual(5);
  });

  it('has incidents, runs that succeeded and failed, and usage', async () => {
    const { incidents } = await ada.call('GET /api/admin/incidents');
    expect((incidents as unknown[]).length).toBeGreaterThanOrEqual(5);
    const states = new Set<unknown>();
    for (const project of ['checkout', 'platform']) {
      const { actions } = await ada.call(`GET /api/admin/projects/${project}/actions`);
      for (const { id } of actions as { id: number }[]) {
        const { actionSetEvents } = await ada.call(`GET /api/admin/projects/${project}/actions/${id}/events`);
        for (const { state } of actionSetEvents as { state: string }[]) states.add(state);
      }
    }
    expect([...states]).toEqual(expect.arrayContaining(['success', 'failed']));
    const usage = await ada.call('GET /api/admin/client-metrics/features/new-checkout/raw?hoursBack=168');
    expect((usage.data as unknown[]).length).toBeGreaterThan(0);
  });

  it('has a release plan that halts while the alert of the story fires', async () => {
    const path = '/api/admin/projects/checkout/features/new-checkout/environments/production/release-plans';
    const [plan] = (await ada.call(`GET ${path}`)) as unknown as { name: string; progress: { state: string } }[];
    expect(plan?.name).toBe('Three days');
    expect(['running', 'held']).toContain(plan?.progress.state);
    const { events } = await ada.call('GET /api/admin/search/events?type=IS:release-plan-progressions-paused');
    expect((events as unknown[]).length).toBeGreaterThan(0);
  });

  it('has a chart of orders with and without a flag, and a safeguard that reads them', async () => {
    const flag = '/api/admin/projects/checkout/features/new-checkout';
    const { configs } = await ada.call(`GET ${flag}/impact-metrics/config`);
    const [chart] = configs as { metricName: string; groupBy: string }[];
    const query = `metricName=${chart?.metricName}&groupBy=${chart?.groupBy}&range=hour&aggregationMode=count`;
    const { series } = await ada.call(`GET /api/admin/impact-metrics?${query}`);
    const lines = series as { metric: { new_checkout: string }; data: unknown[] }[];
    expect(lines.map(({ metric }) => metric.new_checkout)).toEqual(['disabled', 'enabled']);
    expect(Math.min(...lines.map(({ data }) => data.length))).toBeGreaterThan(50);
    const { safeguards } = await ada.call(`GET ${flag}/environments/production/safeguards`);
    expect(safeguards).toMatchObject([{ triggerCondition: { threshold: 0.2 } }]);
  });

  it('deletes its data when it stops', async () => {
    stop.abort();
    await ended;
    expect(existsSync(directory)).toBe(false);
    expect(told.at(-1)).toBe('The data of the demo is deleted.');
  });
});
