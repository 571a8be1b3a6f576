import { createHmac } from 'node:crypto';
import type { SignalSourceName } from '@yardarm/contract';
import { Webhook } from 'standardwebhooks';

/** A request to sign. */
export interface Signed {
  readonly secret: string;
  readonly body: Buffer;
  /** The time of the request, in seconds since 1970. */
  readonly seconds: number;
}

/** Functions that return the signature headers of a request, by source, as the vendor of the source documents them. */
export const signers: Partial<Readonly<Record<SignalSourceName, (signed: Signed) => Record<string, string>>>> = {
  pagerduty: ({ secret, body }) => ({
    'x-pagerduty-signature': `v1=${hex('older key', body)},v1=${hex(secret, body)}`,
  }),
  sentry: ({ secret, body }) => ({ 'sentry-hook-signature': hex(secret, body) }),
  checkly: ({ secret, body }) => ({ 'x-checkly-signature': hex(secret, body) }),
  github: ({ secret, body }) => ({ 'x-hub-signature-256': `sha256=${hex(secret, body)}` }),
  slack: ({ secret, body, seconds }) => ({
    'x-slack-request-timestamp': `${seconds}`,
    'x-slack-signature': `v0=${hex(secret, Buffer.concat([Buffer.from(`v0:${seconds}:`), body]))}`,
  }),
  sns: () => ({ 'x-amz-sns-message-type': 'Notification' }),
  'standard-webhooks': ({ secret, body, seconds }) => ({
    'webhook-id': `msg_${hex(secret, body).slice(0, 12)}_${seconds}`,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': new Webhook(secret).sign(
      `msg_${hex(secret, body).slice(0, 12)}_${seconds}`,
      new Date(seconds * 1000),
      body.toString(),
    ),
  }),
};

function hex(secret: string, text: string | Buffer): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
