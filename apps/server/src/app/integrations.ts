import { integrationHandlers } from '#features/integrations/integrations/index.ts';
import { type AddressPolicy, resolveByDns } from '#features/platform/outbound/index.ts';
import type { ServiceDependencies } from './dependencies.ts';

/** Returns the address policy of outbound requests. */
export function addressPolicyOf({
  allowPrivateIntegrationUrls,
  allowedIntegrationHosts,
}: ServiceDependencies['config']): AddressPolicy {
  return { allowPrivate: allowPrivateIntegrationUrls, allowedHosts: allowedIntegrationHosts };
}

/** Builds the routes of integrations. */
export function buildIntegrations({ config, database }: ServiceDependencies) {
  return integrationHandlers(database, addressPolicyOf(config), resolveByDns);
}
