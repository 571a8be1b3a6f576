import { describe, expect, it } from 'vitest';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';

const preflight = (origin: string) => ({
  headers: {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization,unleash-appname',
  },
});

describe('pages of other origins', () => {
  const server = useServer();

  it('may send preflight requests to the frontend API', async () => {
    const { status, text, headers } = await server().anonymous.request(
      'OPTIONS',
      '/api/frontend',
      preflight('https://shop.example'),
    );
    expect([status, text]).toEqual([204, '']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'authorization,unleash-appname',
      'access-control-max-age': '86400',
      vary: 'Origin',
    });
  });

  it('may read answers and refusals', async () => {
    const headers = { origin: 'https://shop.example' };
    const sdk = await givenSdk(server(), { type: 'frontend' });
    const answers = [
      await sdk.request('GET', '/api/frontend', { headers }),
      await sdk.request('GET', '//api//frontend', { headers }),
      await server().anonymous.request('GET', '/api/frontend', { headers }),
      await sdk.request('GET', '/api/frontend/nothing', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404]);
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toBe('ETag, Retry-After');
      expect(answer.headers.get('vary')).toMatch(/^Origin/);
    }
  });

  it.each(['/api/client/features', '/api/admin/projects', '/api/frontends', '/health'])(
    'may not use %s',
    async (path) => {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await server().admin.request(method, path, preflight('https://shop.example'));
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );
});

describe('where origins are named', () => {
  const server = useServer({
    frontendApiOrigins: ['https://shop.example', 'http://localhost:3000'],
    accessControlMaxAge: 60,
  });

  it.each(['https://shop.example', 'http://localhost:3000'])('pages of %s may use it', async (origin) => {
    const { headers } = await server().anonymous.request('OPTIONS', '/api/frontend', preflight(origin));
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-max-age')).toBe('60');
  });

  it.each(['http://shop.example', 'https://shop.example.evil.example', 'null', 'https://shop.example:8443'])(
    'pages of %s may not',
    async (origin) => {
      for (const method of ['OPTIONS', 'GET']) {
        const { headers } = await server().anonymous.request(method, '/api/frontend', preflight(origin));
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(headers.get('vary')).toBe('Origin');
      }
    },
  );
});
