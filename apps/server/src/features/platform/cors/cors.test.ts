import { describe, expect, it } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { corsScenarios } from './cors.scenarios.ts';

describe('origins of the frontend API', () => testScenarios(useServer(), corsScenarios));

describe('origins of the frontend API from an environment variable', () => {
  const server = useServer({ frontendApiOrigins: ['https://a.example.com'] });
  const configuredOrigins = async () => (await server().admin.call('GET /api/admin/ui-config')).json.frontendApiOrigins;

  it('apply until the setting is changed', async () => {
    expect(await configuredOrigins()).toEqual(['https://a.example.com']);
    const body = { frontendApiOrigins: ['https://b.example.com'] };
    await server().admin.call('POST /api/admin/ui-config/cors', { body });
    expect(await configuredOrigins()).toEqual(['https://b.example.com']);
    const allowed = async (origin: string) =>
      (await server().anonymous.request('GET', '/api/frontend', { headers: { origin } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await allowed('https://a.example.com')).toBeNull();
    expect(await allowed('https://b.example.com')).toBe('https://b.example.com');
  });
});
