import { freshName } from './flags.ts';
import { givenIntegration } from './integrations.ts';
import type { Received, Receiver } from './receiver.ts';
import type { TestServer } from './server.ts';

/** Creates a webhook for new flags with its own path at a receiver. Returns functions that use it. */
export async function givenWebhook(server: TestServer, receiver: Receiver, more: object = {}) {
  const path = `/${freshName('hook')}`;
  const parameters = { url: `${receiver.url}${path}`, authorization: 'Bearer of-a-secret' };
  const created = await givenIntegration(server, { parameters, events: ['feature-created'], ...more });
  const { id, signingSecret } = created as { id: number; signingSecret: string };
  return {
    id,
    path,
    signingSecret,
    sent: (): Received[] => receiver.received.filter((request) => request.path === path),
    health: async () => {
      const { integrations } = (await server.admin.call('GET /api/admin/integrations/health')).json;
      return integrations.find((health: { integrationId: number }) => health.integrationId === id);
    },
    deliveries: async (state?: string) =>
      (
        await server.admin.call('GET /api/admin/integrations/:id/deliveries', {
          params: { id },
          query: state === undefined ? {} : { state },
        })
      ).json.deliveries,
    post: (action: 'redeliver' | 'test' | 'resume' | 'rotate-key', body?: object) =>
      server.admin.call(`POST /api/admin/integrations/:id/${action}`, { params: { id }, ...(body && { body }) }),
  };
}
