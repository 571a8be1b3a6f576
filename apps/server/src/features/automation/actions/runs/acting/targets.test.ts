import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, isOn, runsOf, signal, turning } from '#testing/actions.ts';
import { addStrategy, givenFlag, givenFlagIn } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

/** Creates a set that turns on or off the flag that the payload names; with `forEach`, for each element of an array. */
function byLabel(
  place: ActionPlace,
  how: 'ON' | 'OFF',
  allow: object,
  more: { forEach?: string; status?: string } = {},
) {
  const [element, status] = [more.forEach === undefined ? '' : 'item.', more.status ?? 'firing'];
  const payload = { [`${element}status`]: { operator: 'IN', values: [status] } };
  return givenSet(
    server(),
    {
      match: {
        source: 'signal-endpoint',
        sourceId: place.endpoint.id,
        payload,
        ...(more.forEach === undefined ? {} : { forEach: more.forEach }),
      },
      allow,
      actions: [turning(how, place.projectId, `{{${element}labels.feature_flag}}`)],
    },
    place,
  );
}

const alert = (featureName: unknown, status = 'firing') => ({ status, labels: { feature_flag: featureName } });
const whyFailed = async (set: Parameters<typeof runsOf>[1]) => {
  const [run] = await runsOf(server(), set);
  expect(run.state).toBe('failed');
  return run.reason ?? run.actionSet.actions[0].details;
};

describe('a flag that the payload names', () => {
  it('is changed when it is allowed by name, by its tag, or by *', async () => {
    const place = await givenActionPlace(server());
    const { projectId } = place;
    const tagged = {
      ...(await givenFlag(server(), { tags: [{ type: 'simple', value: 'killable' }] }, projectId)),
      environment: 'development',
    };
    await byLabel(place, 'ON', { flags: [place.flag.featureName], tags: ['simple:killable'] });
    for (const flag of [place.flag, tagged]) {
      await signal(server(), place, alert(flag.featureName));
      expect(await isOn(server(), flag)).toBe(true);
    }
    const any = await byLabel(place, 'ON', { flags: ['*'] }, { status: 'any' });
    const other = await givenFlagIn(server(), 'development', projectId);
    await signal(server(), any, alert(other.featureName, 'any'));
    expect(await isOn(server(), other)).toBe(true);
  });

  it.each(['connection terminated', 'read timeout', 'not queryable'])(
    'named "%s" is reported as missing, not mistaken for a database error that halts later signals',
    async (name) => {
      const place = await givenActionPlace(server());
      const set = await byLabel(place, 'ON', { flags: ['*'] });
      await signal(server(), place, alert(name));
      expect(await whyFailed(set)).toContain(name);
      await signal(server(), place, alert(place.flag.featureName));
      expect(await isOn(server(), place.flag)).toBe(true);
    },
  );

  it('is not changed when it is not allowed, belongs to another project or does not exist', async () => {
    const place = await givenActionPlace(server());
    const elsewhere = await givenFlagIn(server());
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const named = await byLabel(place, 'ON', { flags: [place.flag.featureName] });
    const any = await byLabel(place, 'ON', { flags: ['*'] }, { status: 'any' });
    const before = await lastEventId(server());
    await signal(server(), place, alert(other.featureName));
    expect(await whyFailed(named)).toMatch(/does not allow/);
    await signal(server(), place, alert(elsewhere.featureName, 'any'));
    expect(await whyFailed(any)).toMatch(/no flag/);
    await signal(server(), place, alert(`{{labels.x}}`, 'any'));
    expect(await whyFailed(any)).toMatch(/no flag \{\{labels\.x\}\}/);
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['action-run-failed']));
  });

  it('and the tag of an action are named in the reason when they are not allowed, a long name shortened', async () => {
    const place = await givenActionPlace(server());
    const { projectId, flag } = place;
    const named = await byLabel(place, 'ON', { flags: [flag.featureName] });
    await signal(server(), place, alert('x'.repeat(150)));
    expect(await whyFailed(named)).toBe(
      `The payload names the flag ${'x'.repeat(100)}, which the action set does not allow.`,
    );
    const executionParams = { project: projectId, featureName: flag.featureName, tag: '{{tag}}' };
    const actions = [{ action: 'ADD_TAG', sortOrder: 1, executionParams }];
    const tagging = await givenSet(server(), { actions, allow: { tags: ['simple:known'] } }, place);
    await signal(server(), place, { tag: 'simple:known' });
    expect((await runsOf(server(), tagging))[0]).toMatchObject({ state: 'success' });
    await signal(server(), place, { tag: 'simple:other' });
    expect(await whyFailed(tagging)).toBe(
      'The payload names the tag simple:other, which the action set does not allow.',
    );
  });

  it.each([
    ['nothing', { status: 'firing' }],
    ['null', alert(null)],
    ['an object', alert({ name: 'x' })],
    ['an empty text', alert('')],
    ['a property that every object inherits', { status: 'firing', labels: 'text' }],
  ])('fails the run with a message when there is %s', async (_, payload) => {
    const place = await givenActionPlace(server());
    const set = await byLabel(place, 'ON', { flags: ['*'] });
    await signal(server(), place, payload);
    expect(await whyFailed(set)).toBe('The payload has no text at labels.feature_flag.');
  });

  it('and environments and percentages may come from the payload too', async () => {
    const place = await givenActionPlace(server());
    const { projectId, flag } = place;
    const rollout = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'g' } };
    await addStrategy(server(), flag, rollout);
    const executionParams = {
      project: projectId,
      environment: '{{env}}',
      featureName: flag.featureName,
      rollout: '{{share}}',
    };
    const actions = [{ action: 'SET_ROLLOUT', sortOrder: 1, executionParams }];
    const set = await givenSet(server(), { actions, allow: { environments: ['development'] } }, place);
    await signal(server(), place, { env: 'development', share: 15 });
    expect((await runsOf(server(), set))[0]).toMatchObject({
      state: 'success',
      actionSet: { actions: [{ changes: [{ type: 'feature-strategy-update', environment: 'development' }] }] },
    });
    await signal(server(), place, { env: 'production', share: 15 });
    expect(await whyFailed(set)).toMatch(/environment production, which the action set/);
    await signal(server(), place, { env: 'development', share: 150 });
    expect(await whyFailed(set)).toMatch(/rollout is invalid: must be a whole number from 0 to 100/);
  });
});

describe('a signal with many alerts', () => {
  it('makes a run for each element that passes the filters, with the values of that element', async () => {
    const place = await givenActionPlace(server());
    const flags = [
      place.flag,
      ...(await Promise.all([1, 2].map(() => givenFlagIn(server(), 'development', place.projectId)))),
    ];
    const [a, b, c] = flags.map(({ featureName }) => featureName);
    const firing = await byLabel(place, 'ON', { flags: ['*'] }, { forEach: 'alerts' });
    const resolved = await byLabel(place, 'OFF', { flags: ['*'] }, { forEach: 'alerts', status: 'resolved' });
    await signal(server(), place, { status: 'firing', alerts: [alert(a), alert(b), alert('nowhere'), alert(c)] });
    expect(await Promise.all(flags.map((flag) => isOn(server(), flag)))).toEqual([true, true, true]);
    expect(await runsOf(server(), firing)).toMatchObject([
      { element: 3, state: 'success' },
      { element: 2, state: 'failed' },
      { element: 1, state: 'success' },
      { element: 0, state: 'success' },
    ]);
    await signal(server(), place, { alerts: [alert(a, 'resolved'), alert(b), 'odd', null, alert(c, 'resolved')] });
    expect(await Promise.all(flags.map((flag) => isOn(server(), flag)))).toEqual([false, true, false]);
    expect((await runsOf(server(), resolved)).map(({ element }: { element: number }) => element)).toEqual([4, 0]);
  });

  it('makes one skipped run without the array, and one failed run for the elements beyond the limit', async () => {
    const place = await givenActionPlace(server());
    const set = await byLabel(place, 'ON', { flags: ['*'] }, { forEach: 'data.alerts' });
    await signal(server(), place, { data: { alerts: 'none' } });
    await signal(server(), place, []);
    const without = { state: 'skipped', reason: 'The payload has no array at data.alerts.', element: null };
    expect(await runsOf(server(), set)).toMatchObject([without, without]);
    const alerts = Array.from({ length: 101 }, () => alert(place.flag.featureName));
    await signal(server(), place, { data: { alerts } });
    expect(await whyFailed(set)).toMatch(/actions run for 100: the last 1 was refused/);
    expect(await isOn(server(), place.flag)).toBe(true);
  });
});
