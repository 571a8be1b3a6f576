import type { TestServer } from './server.ts';

/** Creates an integration; it subscribes to no events unless `more` overrides them. */
export async function givenIntegration(server: TestServer, more: object = {}): Promise<{ readonly id: number }> {
  const reply = await server.admin.call('POST /api/admin/addons', { body: { ...integrationBody, ...more } });
  if (reply.status !== 201) throw new Error(`creating an integration answered ${reply.status}: ${reply.text}`);
  return reply.json;
}

export const integrationBody = {
  provider: 'webhook',
  enabled: true,
  parameters: { url: 'https://8.8.8.8/hook', authorization: 'Bearer of-a-secret' },
  events: [],
};
