import { createSign } from 'node:crypto';
import { makeCertificate } from './certificate.ts';

const region = 'https://sns.eu-north-1.amazonaws.com';

/** The topic of the messages. */
export const topic = 'arn:aws:sns:eu-north-1:123456789012:Alarms';

type Message = Readonly<Record<string, string>>;

/** The fields that are signed, in the order that the vendor documents. */
const signed = ['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** A fake Amazon SNS: it signs messages, and answers requests to Amazon's hosts. */
export interface SnsSender {
  /** The requested URLs. */
  readonly requested: string[];
  /**
   * Answers requests to Amazon's hosts: with the certificate, or with the answer to a confirmed or ended subscription.
   */
  fetchText(url: string): Promise<string>;
  /** Returns a message with its signature, as JSON. `more` replaces fields, also those of the signature. */
  sign(message: Message, more?: { readonly before?: Message; readonly after?: Message }): Buffer;
}

/** Creates a sender with a key and a certificate of its own, at the URL with this name. */
export function createSnsSender(certificateName = '0123456789abcdef0123456789abcdef'): SnsSender {
  const certificateUrl = `${region}/SimpleNotificationService-${certificateName}.pem`;
  const { key, cert } = makeCertificate('rsa:2048');
  const requested: string[] = [];
  return {
    requested,
    fetchText: async (url) => {
      requested.push(url);
      const { searchParams } = new URL(url);
      if (url === certificateUrl) return cert;
      if (searchParams.get('Action') === 'ConfirmSubscription' && searchParams.get('Token') !== 'expired')
        return `<ConfirmSubscriptionResponse><SubscriptionArn>${topic}:c9135db0</SubscriptionArn></ConfirmSubscriptionResponse>`;
      if (searchParams.get('Action') === 'Unsubscribe') return '<UnsubscribeResponse/>';
      throw new Error('the answer has the status 403');
    },
    sign: (message, { before = {}, after = {} } = {}) => {
      const full: Message = { ...message, SignatureVersion: '2', SigningCertURL: certificateUrl, ...before };
      const text = signed.map((name) => (full[name] === undefined ? '' : `${name}\n${full[name]}\n`)).join('');
      const digest = full['SignatureVersion'] === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
      const Signature = createSign(digest).update(text).sign(key, 'base64');
      return Buffer.from(JSON.stringify({ ...full, Signature, ...after }));
    },
  };
}
