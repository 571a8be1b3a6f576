import { randomBytes } from 'node:crypto';
import { hmac } from './hmac.ts';
import type { SignatureScheme } from './scheme.ts';

const prefix = 'whsec_';
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The signatures of Standard Webhooks 1.0 with a shared secret (https://www.standardwebhooks.com). */
export const standardWebhooksSignature: SignatureScheme = {
  ...hmac({
    header: 'webhook-signature',
    prefix: 'v1,',
    separator: ' ',
    encoding: 'base64',
    before: (header) => {
      const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
      return id === undefined || timestamp === undefined ? undefined : `${id}.${timestamp}.`;
    },
    timestamp: 'webhook-timestamp',
    keyOf: (secret) => Buffer.from(secret.slice(prefix.length), 'base64'),
  }),
  newSecret: () => `${prefix}${randomBytes(32).toString('base64')}`,
  secretProblem: (secret) =>
    secret.startsWith(prefix) && base64.test(secret.slice(prefix.length))
      ? undefined
      : `must be ${prefix} and a key in base64`,
};
