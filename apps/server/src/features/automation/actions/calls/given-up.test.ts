import { describe, expect, it } from 'vitest';
import { calling, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { freshName } from '#testing/flags.ts';
import { useReceiver } from '#testing/receiver.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ allowPrivateIntegrationUrls: true });
const receiver = useReceiver();
const minuteMs = 60_000;

describe('a call of an action that is given up', () => {
  it('is told once for a row of calls of a set, with the last error and without secrets', async () => {
    const place = await givenActionPlace(server());
    const path = `/${freshName('call')}`;
    const headers = JSON.stringify({ Authorization: 'Bearer of-a-secret' });
    const actions = [calling(place, `${receiver().url}${path}?key=in-the-url`, { headers })];
    const set = await givenSet(server(), { actions }, place);
    receiver().answer(`${path}?key=in-the-url`, 404, 404, 404);
    const before = await lastEventId(server());
    await signal(server(), place);
    await signal(server(), place);
    const told = async () =>
      (await eventsAfter(server(), before)).filter(({ type }) => type === 'action-call-given-up');
    const [{ id: runId }] = (await runsOf(server(), set)).slice(-1);
    expect(await told()).toMatchObject([
      {
        project: place.projectId,
        outcome: 'failure',
        createdByUserId: -1337,
        cause: { runId, signalId: expect.any(Number) },
        data: { actionSetId: set.id, runId, attempts: 1, status: 404, error: 'The receiver answered 404.' },
      },
    ]);
    expect(JSON.stringify(await told())).not.toMatch(/secret|in-the-url/);
    server().clock.advance(11 * minuteMs);
    await signal(server(), place);
    expect(await told()).toHaveLength(2);
  });

  it('is not told when the receiver takes it in the end', async () => {
    const place = await givenActionPlace(server());
    const path = `/${freshName('call')}`;
    await givenSet(server(), { actions: [calling(place, `${receiver().url}${path}`)] }, place);
    receiver().answer(path, 500);
    const before = await lastEventId(server());
    await signal(server(), place);
    server().clock.advance(minuteMs);
    await server().app.service.deliveries.idle();
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(types).not.toContain('action-call-given-up');
  });
});
