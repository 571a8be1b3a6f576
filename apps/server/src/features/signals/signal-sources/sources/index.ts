export { type DeliveryRequest, inPayload } from './delivery-ids.ts';
export { signalSources } from './registry.ts';
export type { SignalSource, SourceSetup, SubscriptionMessage } from './source.ts';
