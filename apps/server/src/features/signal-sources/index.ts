export { dropPaths } from './dropped.ts';
export { normalizedText } from './normalize.ts';
export { checkDropped, checkOwnFields, sourceOf } from './own-fields.ts';
export { signalSourceHandlers } from './routes.ts';
export { Certificates, type FetchText, type ReadHeader, type SignedRequest } from './signatures/index.ts';
export { type SignalSource, type SubscriptionMessage, signalSources } from './sources/index.ts';
