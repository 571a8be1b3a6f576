export { type EndpointAccess, findEndpointAccess, type TokenAccess } from './access.ts';
export {
  alertsPathOf,
  type EndpointLimits,
  endpointEventData,
  isEnabled,
  maxElementsOf,
  type SignalEndpoint,
  takesSignals,
} from './endpoint.ts';
export { presentEndpoint } from './present-endpoint.ts';
export { deleteAdvice, requireEndpoint, type SignalLimits } from './require-endpoint.ts';
export { sealedHashKeys, sealedSigningSecrets } from './sealed.ts';
export {
  countEndpoints,
  deleteEndpointRow,
  expectedFiltersOf,
  findEndpoint,
  findEndpointNamed,
  insertEndpoint,
  listEndpoints,
  listTokens,
  redactionOf,
  updateEndpointRow,
} from './store.ts';
export { subscriptionHandlers } from './subscription-routes.ts';
export { noteSubscription } from './subscriptions.ts';
export { tokenHandlers } from './token-routes.ts';
