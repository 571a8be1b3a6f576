import { describe, expect, it } from 'vitest';
import type { Hours } from '#features/platform/hours/index.ts';
import { type ActionPlace, givenActionPlace, givenSet, isOn, runsOf, signal } from '#testing/actions.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { checkHours } from './hours.ts';

const [minuteMs, dayMs] = [60_000, 86_400_000];

describe('hours', () => {
  const office: Hours = { days: ['mon', 'fri'], from: '09:00', to: '17:00', timeZone: 'Europe/Berlin' };
  const night: Hours = { ...office, from: '22:00', to: '06:00' };
  const kolkata: Hours = { ...office, timeZone: 'Asia/Kolkata' };

  it.each([
    ['Friday at nine', office, '2026-11-27T08:00:00Z', true],
    ['Friday a minute before nine', office, '2026-11-27T07:59:59Z', false],
    ['Friday at five', office, '2026-11-27T16:00:00Z', false],
    ['a day that is not named', office, '2026-11-26T12:00:00Z', false],
    ['Friday night', night, '2026-11-27T21:00:00Z', true],
    ['the morning after Friday night', night, '2026-11-28T04:59:59Z', true],
    ['the morning after Friday night, at its end', night, '2026-11-28T05:00:00Z', false],
    ['the morning of a Friday', night, '2026-11-27T04:00:00Z', false],
    ['summer time, which begins an hour earlier in UTC', office, '2026-07-03T07:00:00Z', true],
    ['the hour that the clock skips in spring', { ...night, days: ['sat'] }, '2027-03-28T01:30:00Z', true],
    ['a time zone of half an hour', kolkata, '2026-11-27T03:30:00Z', true],
    ['the day that it is there, not in UTC', { ...kolkata, from: '00:00' }, '2026-11-26T18:30:00Z', true],
  ] as const)('know %s', (_name, hours, at, open) => {
    expect(checkHours({ guards: { hours } }, Date.parse(at)) === undefined).toBe(open);
  });
});

describe('a set that is limited to hours', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });

  /** Returns hours of the present UTC day, from minutes before to minutes after now. */
  const around = (before: number, after: number) => {
    const now = server().clock.now();
    const time = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
    return { days, from: time(now - before * minuteMs), to: time(now + after * minuteMs), timeZone: 'UTC' };
  };
  const holding = ({ endpoint, flag, projectId: project }: ActionPlace, hours: object) => {
    const is = (value: string) => ({ state: { operator: 'IN', values: [value] } });
    const { environment, featureName } = flag;
    const executionParams = { project, environment, featureName, effect: 'on', minutes: 60 };
    return {
      match: { source: 'signal-endpoint', sourceId: endpoint.id, payload: is('firing'), release: is('resolved') },
      actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }],
      guards: { hours },
    };
  };

  it('acts within them, is skipped outside without trouble, and releases at all times', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), holding(place, around(60, 60)), place);
    const before = await lastEventId(server());
    await signal(server(), place, { state: 'firing' });
    expect(await isOn(server(), place.flag)).toBe(false);
    const holds = async () => (await server().admin.call('GET /api/admin/leases')).json.leases;
    expect(await holds()).toMatchObject([{ effect: 'on' }]);
    server().clock.advance(90 * minuteMs);
    await signal(server(), place, { state: 'firing' });
    const [skipped] = await runsOf(server(), set);
    expect(skipped).toMatchObject({ state: 'skipped', reason: expect.stringMatching(/^Hours: it is \w+day, /) });
    await signal(server(), place, { state: 'resolved' });
    expect((await runsOf(server(), set))[0]).toMatchObject({ state: expect.stringMatching(/success|skipped/) });
    expect(await holds()).toEqual([]);
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(types).not.toContain('action-run-stopped');
    expect((await server().admin.call('GET /api/admin/now')).json.runs).toEqual([]);
    server().clock.advance(dayMs - 90 * minuteMs);
    await signal(server(), place, { state: 'firing' });
    expect(await holds()).toMatchObject([{ effect: 'on' }]);
  });

  it.each([
    [{ days: [] }, 'guards.hours.days'],
    [{ days: ['mon', 'mon'] }, 'guards.hours.days'],
    [{ days: ['monday'] }, 'guards.hours.days.0'],
    [{ from: '9:00' }, 'guards.hours.from'],
    [{ from: '24:00' }, 'guards.hours.from'],
    [{ from: '10:00', to: '10:00' }, 'guards.hours.to'],
    [{ timeZone: 'Europe/Atlantis' }, 'guards.hours.timeZone'],
    [{ timeZone: 'x'.repeat(65) }, 'guards.hours.timeZone'],
    [{ timeZone: '' }, 'guards.hours.timeZone'],
  ])('refuses %j', async (more, path) => {
    const place = await givenActionPlace(server());
    const hours = { days: ['mon'], from: '09:00', to: '17:00', timeZone: 'UTC', ...more };
    const { projectId } = place;
    const body = { name: 'hours', actorId: place.actorId, ...holding(place, hours) };
    const route = 'POST /api/admin/projects/:projectId/actions';
    const { status, json } = await server().admin.call(route, { params: { projectId }, body });
    const paths = new Set(json.details.map((detail: { path: string }) => detail.path));
    expect([status, [...paths]]).toEqual([400, [path]]);
  });
});
