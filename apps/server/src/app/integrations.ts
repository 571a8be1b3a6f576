import { Deliverer, integrationHandlers } from '../features/integrations/index.ts';
import { type Reach, resolveByDns, sender } from '../features/outbound/index.ts';
import type { ServiceParts } from './parts.ts';

const retryMs = 1000;

/** Which addresses may be called by what is sent out by itself. */
export function reachOf({ allowPrivateIntegrationUrls, allowedIntegrationHosts }: ServiceParts['config']): Reach {
  return { allowPrivate: allowPrivateIntegrationUrls, allowedHosts: allowedIntegrationHosts };
}

/** Puts together who is told of events; the telling begins at once. */
export function buildIntegrations({ config, clock, database, log, lifetime }: ServiceParts) {
  const reach = reachOf(config);
  const deliverer = new Deliverer({
    database,
    clock,
    send: sender(reach, resolveByDns),
    retryMs,
    onError: (error) => log.error({ err: error }, 'telling integrations failed'),
  });
  deliverer.start();
  lifetime.onStop('integrations', () => deliverer.stop());
  return { deliverer, handlers: integrationHandlers(database, reach, resolveByDns) };
}
