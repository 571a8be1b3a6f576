import { describe, expect, it } from 'vitest';
import { type FlagEnvironmentParams, givenEnabled } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { useServer } from '#testing/server.ts';
import { override } from '#testing/stops.ts';

const server = useServer();
const end = '2099-01-01T05:00:00.000Z';
const reason = 'Errors since 04:00';

/** Returns the sentences about a flag that a history and messages show, newest first. */
async function sentencesOf({ featureName }: FlagEnvironmentParams): Promise<readonly string[]> {
  const query = { feature: `IS:${featureName}`, limit: 10 };
  const { events } = (await server().admin.call('GET /api/admin/search/events', { query })).json;
  return events.map(({ summary }: { summary: string }) => summary);
}

describe('the sentence about', () => {
  it.each([
    [{ effect: 'off', reason, expiresAt: end }, ' **off**, until 2099-01-01 05:00 UTC: Errors since 04:00'],
    [{ effect: 'rollout', rollout: 5, expiresAt: end }, ' **at 5 %**, until 2099-01-01 05:00 UTC'],
    [{ effect: 'off', reason }, ' **off**: Errors since 04:00'],
  ])('a hold says how, until when and why: %j', async (body, words) => {
    const flag = await givenEnabled(server());
    await givenHold(server(), flag, body);
    expect((await sentencesOf(flag)).some((sentence) => sentence.endsWith(words))).toBe(true);
  });

  it('an update of a hold says its new end', async () => {
    const flag = await givenEnabled(server());
    await givenHold(server(), flag, { effect: 'off' });
    await givenHold(server(), flag, { effect: 'off', expiresAt: end });
    expect((await sentencesOf(flag))[0]).toContain('hold updated');
    expect((await sentencesOf(flag))[0]).toContain('until 2099-01-01 05:00 UTC');
  });

  it('an override says until when and why, also after a change of its end', async () => {
    const flag = await givenEnabled(server());
    await override(server(), flag);
    expect((await sentencesOf(flag))[0]).toMatch(/: I look$/);
    await override(server(), flag, { endsAt: end });
    expect((await sentencesOf(flag))[0]).toMatch(/, until 2099-01-01 05:00 UTC: I look$/);
  });
});
