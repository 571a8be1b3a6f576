import { describe, expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenToken, received, send } from '#testing/signals.ts';

const server = useServer({ signalEndpointsLimit: 1000 });

/** Numbers of elements around each limit that something else has: alerts of a form, elements of a token, a page. */
const lengths = [1, 99, 100, 101, 250, 1001];

describe('the redaction of a list', () => {
  it.each(lengths)('of %i elements applies to each of them', async (length) => {
    const body = { name: freshName('e'), dropped: ['alerts.secret'], hashed: ['alerts.user.email', 'emails'] };
    const { id } = (await server().admin.call('POST /api/admin/signal-endpoints', { body })).json;
    const { secret: token } = await givenToken(server(), id, 'script');
    const alerts = Array.from({ length }, (_, n) => ({ n, secret: `hush-${n}.`, user: { email: `eve-${n}@x` } }));
    const emails = alerts.map(({ n }) => `adam-${n}@x`);
    const sent = await send(server(), { name: body.name, token }, JSON.stringify({ alerts, emails }));
    expect(sent.status, sent.text).toBe(200);
    const [{ payload }] = (await received(server(), { id })).json.signalEndpointSignals;
    expect(payload.alerts.map(({ n }: { n: number }) => n)).toEqual(alerts.map(({ n }) => n));
    expect(payload.emails).toHaveLength(length);
    expect(new Set(payload.emails).size).toBe(length);
    expect(JSON.stringify(payload)).not.toMatch(/hush|@x/);
  });
});
