import { Deliverer, integrationHandlers, resolveByDns, sender } from '../features/integrations/index.ts';
import type { ServiceParts } from './parts.ts';

const retryMs = 1000;

/** Puts together who is told of events; the telling begins at once. */
export function buildIntegrations({ config, clock, database, log, lifetime }: ServiceParts) {
  const reach = {
    allowPrivate: config.allowPrivateIntegrationUrls,
    allowedHosts: config.allowedIntegrationHosts,
  };
  const deliverer = new Deliverer({
    database,
    clock,
    send: sender(reach, resolveByDns),
    retryMs,
    onTrouble: (error) => log.error({ err: error }, 'telling integrations failed'),
  });
  deliverer.start();
  lifetime.onStop('integrations', () => deliverer.stop());
  return { deliverer, handlers: integrationHandlers(database, reach, resolveByDns) };
}
