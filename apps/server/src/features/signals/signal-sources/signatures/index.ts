export { isAmazonUrl } from './amazon.ts';
export { Certificates, type FetchText } from './certificates.ts';
export { hmac } from './hmac.ts';
export type { ReadHeader, SignatureScheme, SignedRequest } from './scheme.ts';
export { snsSignature } from './sns.ts';
export { standardWebhooksSignature } from './standard-webhooks.ts';
