export { normalizedText } from './normalize.ts';
export { checkOwnFields, checkRedactedPaths, sourceOf } from './own-fields.ts';
export { type Redaction, redact } from './redaction.ts';
export { signalSourceHandlers } from './routes.ts';
export { Certificates, type FetchText, type ReadHeader, type SignedRequest } from './signatures/index.ts';
export { type DeliveryRequest, type SignalSource, type SubscriptionMessage, signalSources } from './sources/index.ts';
