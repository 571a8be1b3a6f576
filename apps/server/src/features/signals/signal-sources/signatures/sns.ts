import { hash, verify } from 'node:crypto';
import { isAmazonUrl } from './amazon.ts';
import type { SignatureScheme } from './scheme.ts';

/** The fields that Amazon SNS signs, in order, by the type of the message. A field that is absent is left out. */
const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;
const digests: Readonly<Record<string, string>> = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' };

const certificatePath = /^\/SimpleNotificationService-[0-9a-f]{16,64}\.pem$/;
const topicArn = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}(\.fifo)?$/;
/**
 * The maximum age of a message. Repetitions within this time are recognised by the message id; SNS repeats a message
 * for some hours at most.
 */
const maxAgeMs = 24 * 60 * 60 * 1000;

/**
 * The signatures of Amazon SNS by X.509 certificates
 * (https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html). Every AWS account can have messages
 * signed, so the secret of a token lists the ARNs of the topics that the token accepts. They are no secret, but tokens,
 * their cache and their log then work as for other signatures. The chain of a certificate is not verified: it is
 * fetched by TLS from a host of Amazon, as Amazon's own validators do.
 */
export const snsSignature: SignatureScheme = {
  header: 'x-amz-sns-message-type',
  secretLabel: 'Topic ARN (several: separated by commas)',
  secretProblem: (secret) =>
    topicsOf(secret).every((arn) => topicArn.test(arn))
      ? undefined
      : 'must be the ARN of an SNS topic, or several separated by commas',
  verify: async (topics, { body, now, certificates, endpointId }) => {
    const message = fieldsOf(body);
    const fields = signedFields[message['Type'] as keyof typeof signedFields];
    const { TopicArn: topic = '', SigningCertURL: url = '', Signature: signature = '' } = message;
    const digest = digests[message['SignatureVersion'] ?? ''];
    if (fields === undefined || signature === '' || digest === undefined) return { refusal: 'no signature' };
    // Check the topic before the certificate is fetched: a request of another topic must not cause an outbound call.
    if (!topicsOf(topics).includes(topic)) return { refusal: 'wrong topic' };
    if (!isAmazonUrl(url) || !certificatePath.test(new URL(url).pathname)) return { refusal: 'wrong signature' };
    const key = await certificates.keyAt(url, endpointId);
    if (typeof key === 'string') return { refusal: 'no certificate', isUndecided: key === 'unread' };
    const text = fields.map((name) => (message[name] === undefined ? '' : `${name}\n${message[name]}\n`)).join('');
    if (!verify(digest, Buffer.from(text), key, Buffer.from(signature, 'base64')))
      return { refusal: 'wrong signature' };
    certificates.noteVerified(url);
    const age = Math.abs(now - Date.parse(message['Timestamp'] ?? ''));
    return age <= maxAgeMs ? { signature: hash('sha256', text, 'hex') } : { refusal: 'expired' };
  },
};

function topicsOf(secret: string): string[] {
  return secret.split(',').map((arn) => arn.trim());
}

/** Returns the text fields of a message; empty for a body that is not a JSON object. */
function fieldsOf(body: Buffer): Readonly<Record<string, string>> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    // The request is answered 401, like any without a signature.
    return {};
  }
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field === 'string'));
}
