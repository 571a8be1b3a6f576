import { Deliverer, integrationHandlers } from '../features/integrations/index.ts';
import { type AddressPolicy, createSender, resolveByDns } from '../features/outbound/index.ts';
import type { ServiceDependencies } from './dependencies.ts';

const retryMs = 1000;

/** Returns the address policy of outbound requests. */
export function addressPolicyOf({
  allowPrivateIntegrationUrls,
  allowedIntegrationHosts,
}: ServiceDependencies['config']): AddressPolicy {
  return { allowPrivate: allowPrivateIntegrationUrls, allowedHosts: allowedIntegrationHosts };
}

/** Builds the integrations feature and starts deliveries. */
export function buildIntegrations({ config, clock, database, log, lifetime }: ServiceDependencies) {
  const addressPolicy = addressPolicyOf(config);
  const deliverer = new Deliverer({
    database,
    clock,
    send: createSender(addressPolicy, resolveByDns),
    retryMs,
    onError: (error) => log.error({ err: error }, 'delivering events to integrations failed'),
  });
  deliverer.start();
  lifetime.onStop('integrations', () => deliverer.stop());
  return { deliverer, handlers: integrationHandlers(database, addressPolicy, resolveByDns) };
}
