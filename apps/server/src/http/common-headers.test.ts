import { describe, expect, it } from 'vitest';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';

describe('every answer', () => {
  const server = useServer();

  it('keeps the address of the page from other sites, as links may hold a secret', async () => {
    const refused = await server().anonymous.request('GET', '/api/admin/user');
    const unknown = await server().anonymous.request('GET', '/api/there-is-nothing');
    const good = await server().admin.request('GET', '/api/admin/user');
    for (const { headers } of [refused, unknown, good]) expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('does so too when it says that nothing has changed', async () => {
    const sdk = await givenSdk(server());
    const etag = (await sdk.call('GET /api/client/features')).headers.get('etag') ?? '';
    const unchanged = await sdk.call('GET /api/client/features', { headers: { 'if-none-match': etag } });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get('referrer-policy')).toBe('no-referrer');
  });
});
