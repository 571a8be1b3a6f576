import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, runsOf, signal, turning } from '#testing/actions.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const minuteMs = 60_000;

/** Returns the events after `before` that report runs, oldest first. */
async function reportsAfter(before: number) {
  const events = await eventsAfter(server(), before);
  return events.filter(({ type }: { type: string }) => type.startsWith('action-run-'));
}

async function givenFailing(place: ActionPlace) {
  const actions = [turning('ON', place.projectId, '{{flag}}')];
  return givenSet(
    server(),
    { name: 'Turn on what is named', allow: { flags: [place.flag.featureName] }, actions },
    place,
  );
}

describe('a run that fails', () => {
  it('is told with its set and reason, and once for a row of them', async () => {
    const place = await givenActionPlace(server());
    const set = await givenFailing(place);
    const before = await lastEventId(server());
    const signalId = await signal(server(), place, { flag: 'elsewhere' });
    for (let n = 0; n < 3; n++) {
      server().clock.advance(4 * minuteMs);
      await signal(server(), place, { flag: 'elsewhere' });
    }
    const [first] = (await runsOf(server(), set)).toReversed();
    const reason = 'The payload names the flag elsewhere, which the action set does not allow.';
    const events = await reportsAfter(before);
    expect(events).toMatchObject([
      {
        type: 'action-run-failed',
        outcome: 'failure',
        project: place.projectId,
        cause: { signalId, runId: first.id },
        data: { runId: first.id, actionSetId: set.id, name: 'Turn on what is named', state: 'failed', reason },
        summary: `**Yardarm**: action failed (project **${place.projectId}**): **Turn on what is named**, run ${first.id}. ${reason}`,
      },
    ]);
    expect(events).toHaveLength(1);
  });

  it('is reported after a replay that failed, which is not reported', async () => {
    const place = await givenActionPlace(server());
    const { projectId, id: actionSetId } = await givenFailing(place);
    const signalId = await signal(server(), place, { flag: 'elsewhere' });
    server().clock.advance(11 * minuteMs);
    const replayed = await server().admin.call('POST /api/admin/projects/:projectId/actions/:actionSetId/replay', {
      params: { projectId, actionSetId },
      body: { signalId },
    });
    expect(replayed.status, replayed.text).toBe(200);
    const before = await lastEventId(server());
    server().clock.advance(minuteMs);
    await signal(server(), place, { flag: 'elsewhere' });
    expect(await reportsAfter(before)).toMatchObject([{ type: 'action-run-failed' }]);
  });

  it('names a value with characters that no database stores, and does not stop later signals', async () => {
    const place = await givenActionPlace(server());
    const set = await givenFailing(place);
    await signal(server(), place, { flag: 'x\u0000y' });
    await signal(server(), place, { flag: place.flag.featureName });
    expect(await runsOf(server(), set)).toMatchObject([
      { state: 'success' },
      { state: 'failed', reason: 'The payload names the flag x\ufffdy, which the action set does not allow.' },
    ]);
  });

  it('is told again after ten minutes without, and for each set', async () => {
    const place = await givenActionPlace(server());
    const sets = [
      await givenFailing(place),
      await givenSet(
        server(),
        { actions: [turning('ON', place.projectId, '{{flag}}')], allow: { flags: [place.flag.featureName] } },
        place,
      ),
    ];
    const before = await lastEventId(server());
    await signal(server(), place, { flag: 'elsewhere' });
    server().clock.advance(11 * minuteMs);
    await signal(server(), place, { flag: 'elsewhere' });
    const ids = (await reportsAfter(before)).map(({ data }) => (data as { actionSetId: number }).actionSetId);
    expect(ids.toSorted((a: number, b: number) => a - b)).toEqual(sets.flatMap(({ id }) => [id, id]));
  });

  it('is not told in shadow mode', async () => {
    const place = await givenActionPlace(server());
    const actions = [turning('ON', place.projectId, '{{flag}}')];
    await givenSet(server(), { shadow: true, allow: { flags: [place.flag.featureName] }, actions }, place);
    const before = await lastEventId(server());
    await signal(server(), place, { flag: 'elsewhere' });
    expect(await reportsAfter(before)).toEqual([]);
  });
});

describe('a run that a guard stops', () => {
  it('is told with the guard', async () => {
    const place = await givenActionPlace(server());
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const actions = [turning('ON', place.projectId, '{{flag}}')];
    await givenSet(server(), { actions, allow: { flags: ['*'] }, guards: { flagsPerHour: 1 } }, place);
    await signal(server(), place, { flag: place.flag.featureName });
    const before = await lastEventId(server());
    await signal(server(), place, { flag: other.featureName });
    await signal(server(), place, { flag: other.featureName });
    expect(await reportsAfter(before)).toMatchObject([
      { type: 'action-run-stopped', data: { state: 'skipped', reason: expect.stringMatching(/^Flags per hour: /) } },
    ]);
  });

  it('is not told while a quorum is missing, which is usual', async () => {
    const place = await givenActionPlace(server());
    await givenSet(server(), { guards: { quorum: { signals: 2, tokens: 1, withinSeconds: 60 } } }, place);
    const before = await lastEventId(server());
    await signal(server(), place);
    expect(await reportsAfter(before)).toEqual([]);
  });
});
