import { describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { givenEnabled, givenProject } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { type GivenPlan, givenPlan, planOf, rolloutTo } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId, testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';
import { milestoneEffectScenarios } from './milestone-effects.scenarios.ts';

const server = useServer();
const milestone =
  '/api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId' as const;

/** Returns the effect of a milestone of a plan, by default of the second. */
async function effectOf(
  { params, milestoneIds }: GivenPlan,
  contexts?: readonly object[],
  index = 1,
  more: object = {},
) {
  const call = { params: { ...params, milestoneId: milestoneIds[index] ?? 'none' }, body: { contexts, ...more } };
  const { status, json, text } = await server().admin.call(`POST ${milestone}/effect`, call);
  expect(status, text).toBe(200);
  return json;
}

/** Returns the ids of users for whom the frontend API says that the flag is on. */
async function usersOn({ featureName, environment }: GivenPlan['params'], userIds: readonly string[]) {
  const sdk = await givenSdk(server(), { environment, type: 'frontend' });
  const answers = await Promise.all(userIds.map((userId) => sdk.call('GET /api/frontend', { query: { userId } })));
  return userIds.filter((_, index) =>
    answers[index]?.json.toggles.some(({ name }: { name: string }) => name === featureName),
  );
}

function inCountry(...values: string[]) {
  const constraints = [{ contextName: 'country', operator: 'IN', values }];
  return { name: values.join(), strategies: [{ name: 'default', constraints }] };
}

const withVariants = (name: string, ...names: string[]) => ({
  name,
  strategies: [
    {
      name: 'flexibleRollout',
      parameters: { rollout: '100', stickiness: 'userId' },
      variants: names.map((variant) => ({
        name: variant,
        weight: 1000 / names.length,
        weightType: 'variable',
        stickiness: 'userId',
      })),
    },
  ],
});

describe('routes of the effect of a milestone', () => testScenarios(server, milestoneEffectScenarios));

describe('the effect of a milestone', () => {
  it('keeps the strategies of the flag where no shadow mode ends, as the start does', async () => {
    const plan = await givenPlan(server(), undefined, undefined, { strategies: 'keep' });
    expect(await effectOf(plan, undefined, 1, { strategies: 'remove' })).toMatchObject({ after: 1000, lost: 0 });
    const { params, milestoneIds } = plan;
    const call = { params: { ...params, milestoneId: milestoneIds[1] ?? 'none' }, query: { strategies: 'remove' } };
    await server().admin.call(`POST ${milestone}/start`, call);
    expect(await effectOf(plan, undefined, 1)).toMatchObject({ before: 1000 });
  });

  it('is that of the milestone alone when the end of shadow mode removes the strategies of the flag', async () => {
    const plan = await givenPlan(server(), undefined, undefined, { shadow: true, strategies: 'keep' });
    expect(await effectOf(plan)).toMatchObject({ before: 1000, after: 1000, lost: 0 });
    const { before, after, lost } = await effectOf(plan, undefined, 1, { strategies: 'remove' });
    expect(before).toBe(1000);
    expect(after).toBeGreaterThan(450);
    expect(after).toBeLessThan(550);
    expect(lost).toBe(before - after);
  });

  it('is counted on a sample of users, none of whom loses the flag on the way up', async () => {
    const plan = await givenPlan(server());
    const effect = await effectOf(plan);
    expect(effect).toMatchObject({ sampled: true, contexts: 1000, lost: 0, changedVariant: 0, missingFields: [] });
    expect(effect.before).toBeGreaterThan(70);
    expect(effect.before).toBeLessThan(130);
    expect(effect.after).toBeGreaterThan(450);
    expect(effect.after).toBeLessThan(550);
    expect(effect.gained).toBe(effect.after - effect.before);
    expect(effect.examples.gained).toHaveLength(5);
    expect(await effectOf(plan)).toEqual(effect);
    expect(await effectOf(plan, undefined, 2)).toMatchObject({ before: effect.before, after: 1000, lost: 0 });
  });

  it('is what the frontend API answers before and after the start', async () => {
    const plan = await givenPlan(server());
    const userIds = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    const effect = await effectOf(
      plan,
      userIds.map((userId) => ({ userId })),
    );
    const before = await usersOn(plan.params, userIds);
    const params = { ...plan.params, milestoneId: plan.milestoneIds[1] ?? '' };
    await server().admin.call(`POST ${milestone}/start`, { params });
    const after = await usersOn(plan.params, userIds);
    expect(effect).toMatchObject({ sampled: false, contexts: 20, before: before.length, after: after.length });
    expect(after.length).toBeGreaterThan(before.length);
    const gained = after.filter((userId) => !before.includes(userId));
    expect(effect.examples.gained).toEqual(gained.slice(0, 5).map((userId) => ({ userId })));
  });

  it('changes nothing', async () => {
    const plan = await givenPlan(server());
    const [before, stored] = [await lastEventId(server()), await planOf(server(), plan.params)];
    await effectOf(plan);
    expect(await eventsAfter(server(), before)).toEqual([]);
    expect(await planOf(server(), plan.params)).toEqual(stored);
  });

  it('names who loses the flag when the milestone serves others', async () => {
    const plan = await givenPlan(server(), [inCountry('NO'), inCountry('SE')]);
    const contexts = [{ country: 'NO' }, { country: 'SE' }, { country: 'DK' }];
    expect(await effectOf(plan, contexts)).toMatchObject({
      before: 1,
      after: 1,
      gained: 1,
      lost: 1,
      examples: { gained: [{ properties: { country: 'SE' } }], lost: [{ properties: { country: 'NO' } }] },
      missingFields: [],
    });
  });

  it('reads the segments of a milestone that has not started', async () => {
    const segment = await givenSegment(server());
    const inSegment = { name: 'Norway', strategies: [{ name: 'default', segments: [segment.id] }] };
    const plan = await givenPlan(server(), [rolloutTo(0), inSegment]);
    expect(await effectOf(plan, [{ country: 'NO' }, { country: 'SE' }])).toMatchObject({ before: 0, after: 1 });
    expect(await effectOf(plan)).toMatchObject({ after: 0, missingFields: ['country'] });
  });

  it('counts variants, and who gets another one', async () => {
    const plan = await givenPlan(server(), [withVariants('A', 'red'), withVariants('B', 'red', 'blue')]);
    const effect = await effectOf(plan);
    const [blue, red] = effect.variants;
    expect(red).toMatchObject({ name: 'red', before: 1000 });
    expect(blue).toMatchObject({ name: 'blue', before: 0 });
    expect(blue.after + red.after).toBe(1000);
    expect(blue.after).toBeGreaterThan(400);
    expect(effect).toMatchObject({ gained: 0, lost: 0, changedVariant: blue.after });
  });

  it('has the same random users before and after', async () => {
    const random = (rollout: number) => ({
      name: `${rollout} %`,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(rollout), stickiness: 'random' } }],
    });
    const effect = await effectOf(await givenPlan(server(), [random(20), random(60)]));
    expect(effect.lost).toBe(0);
    expect(effect.gained).toBeGreaterThan(300);
  });

  it('depends on the field that the percentage depends on', async () => {
    const byTenant = (rollout: number) => ({
      name: `${rollout} %`,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(rollout), stickiness: 'tenant' } }],
    });
    const effect = await effectOf(await givenPlan(server(), [byTenant(10), byTenant(50)]));
    expect(effect.before).toBeGreaterThan(70);
    expect(effect).toMatchObject({ lost: 0, missingFields: [] });
  });

  it('keeps the own strategies of the flag', async () => {
    const flag = await givenEnabled(server());
    const plan = await givenPlan(server(), undefined, flag, { strategies: 'keep' });
    expect(await effectOf(plan)).toMatchObject({ before: 1000, after: 1000, gained: 0 });
  });

  it('counts a held flag as on', async () => {
    const plan = await givenPlan(server());
    const effect = await effectOf(plan);
    await givenHold(server(), plan.params);
    expect(await effectOf(plan)).toEqual(effect);
  });

  it('is hidden with a private project', async () => {
    const projectId = await givenProject(server(), { mode: 'private' });
    const plan = await givenPlan(server(), undefined, await givenEnabled(server(), projectId));
    const { client } = await givenCaller(server());
    const params = { ...plan.params, milestoneId: plan.milestoneIds[1] ?? '' };
    const { status } = await client.call(`POST ${milestone}/effect`, { params, body: {} });
    expect(status).toBe(404);
  });

  it('is refused with more contexts than are evaluated at once', async () => {
    const { params, milestoneIds } = await givenPlan(server());
    const contexts = Array.from({ length: 201 }, (_, index) => ({ userId: `user-${index}` }));
    const call = { params: { ...params, milestoneId: milestoneIds[1] ?? '' }, body: { contexts } };
    expect((await server().admin.call(`POST ${milestone}/effect`, call)).status).toBe(400);
  });
});

describe('the effect of a milestone on contexts that clients sent lately', () => {
  const server = useServer({ recentContextLimit: 3 });

  async function givenCountryPlan(projectId?: string) {
    const flag = projectId === undefined ? undefined : await givenEnabled(server(), projectId);
    return givenPlan(server(), [inCountry('NO'), inCountry('NO', 'SE')], flag);
  }
  async function seenBy({ params, milestoneIds }: GivenPlan) {
    const call = { params: { ...params, milestoneId: milestoneIds[1] ?? 'none' }, body: {} };
    const { json } = await server().admin.call(`POST ${milestone}/effect`, call);
    return json.seen;
  }
  /** Forgets the contexts of earlier tests, which are older than a day then. */
  const passDay = () => server().clock.advance(24 * 60 * 60 * 1000 + 1);
  const fromCountry = (country: string, userId: string) => ({ query: { userId, 'properties[country]': country } });

  it('counts each context of the frontend API and OFREP once, without examples', async () => {
    passDay();
    const plan = await givenCountryPlan();
    expect(await seenBy(plan)).toBeNull();
    const since = new Date(server().clock.now()).toISOString();
    const sdk = await givenSdk(server(), { environment: plan.params.environment, type: 'frontend' });
    await sdk.call('GET /api/frontend', fromCountry('NO', 'anna'));
    server().clock.advance(60_000);
    await sdk.call('POST /api/frontend', { body: { context: { userId: 'bo', properties: { country: 'SE' } } } });
    for (const targetingKey of ['cid', 'cid'])
      await sdk.call('POST /ofrep/v1/evaluate/flags', { body: { context: { targetingKey, country: 'DK' } } });
    expect(await seenBy(plan)).toEqual({
      ...{ contexts: 3, before: 1, after: 2, gained: 1, lost: 0, changedVariant: 0 },
      ...{ variants: [], missingFields: [], since },
    });
  });

  it('forgets the oldest over the limit, and all after a day', async () => {
    passDay();
    const plan = await givenCountryPlan();
    const sdk = await givenSdk(server(), { environment: plan.params.environment, type: 'frontend' });
    for (const userId of ['a', 'b', 'c', 'a', 'd'])
      await sdk.call('GET /api/frontend', fromCountry(userId === 'b' ? 'NO' : 'SE', userId));
    expect(await seenBy(plan)).toMatchObject({ contexts: 3, before: 0, after: 3 });
    passDay();
    expect(await seenBy(plan)).toBeNull();
  });

  it('counts contexts that were sent with tokens of the project only', async () => {
    passDay();
    const [mine, other] = [await givenProject(server()), await givenProject(server())];
    const [plan, otherPlan] = [await givenCountryPlan(mine), await givenCountryPlan(other)];
    const { environment } = plan.params;
    const sdk = await givenSdk(server(), { environment, type: 'frontend', projects: [mine] });
    await sdk.call('GET /api/frontend', fromCountry('NO', 'anna'));
    expect(await seenBy(plan)).toMatchObject({ contexts: 1, before: 1 });
    expect(await seenBy(otherPlan)).toBeNull();
  });

  it('leaves out long contexts, the time of the client, and those of the request', async () => {
    passDay();
    const plan = await givenCountryPlan();
    const sdk = await givenSdk(server(), { environment: plan.params.environment, type: 'frontend' });
    await sdk.call('POST /api/frontend', { body: { context: { userId: 'x'.repeat(2000) } } });
    expect(await seenBy(plan)).toBeNull();
    for (const currentTime of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'])
      await sdk.call('POST /api/frontend', { body: { context: { userId: 'anna', currentTime } } });
    expect(await seenBy(plan)).toMatchObject({ contexts: 1, missingFields: ['country'] });
    const call = { params: { ...plan.params, milestoneId: plan.milestoneIds[1] ?? '' } };
    const { json } = await server().admin.call(`POST ${milestone}/effect`, { ...call, body: { contexts: [{}] } });
    expect(json.seen).toBeNull();
  });

  it('gives contexts without a session a random one, as the frontend API does', async () => {
    passDay();
    const bySession = (rollout: number) => ({
      name: `${rollout} %`,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(rollout), stickiness: 'sessionId' } }],
    });
    const plan = await givenPlan(server(), [bySession(0), bySession(100)]);
    const sdk = await givenSdk(server(), { environment: plan.params.environment, type: 'frontend' });
    for (let request = 0; request < 2; request++) await sdk.call('GET /api/frontend', {});
    expect(await seenBy(plan)).toMatchObject({ contexts: 1, before: 0, after: 1 });
  });
});

describe('contexts that clients sent lately, when none are kept', () => {
  const server = useServer({ recentContextLimit: 0 });

  it('have no effect', async () => {
    const { params, milestoneIds } = await givenPlan(server());
    const sdk = await givenSdk(server(), { environment: params.environment, type: 'frontend' });
    await sdk.call('GET /api/frontend', { query: { userId: 'anna' } });
    const call = { params: { ...params, milestoneId: milestoneIds[1] ?? 'none' }, body: {} };
    expect((await server().admin.call(`POST ${milestone}/effect`, call)).json).toMatchObject({ seen: null });
  });
});
