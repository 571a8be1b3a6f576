import { parseExactJson } from '@yardarm/contract';
import { textAt } from '../../../kernel/payload-path.ts';
import { isAmazonUrl, snsSignature } from '../signatures/index.ts';
import { inHeader, inPayload } from './delivery-ids.ts';
import type { SignalSource, SubscriptionMessage } from './source.ts';

/** Amazon SNS, with the alarms of CloudWatch in its messages. */
export const sns: SignalSource = {
  name: 'sns',
  displayName: 'Amazon SNS (CloudWatch)',
  documentationUrl: 'https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html',
  authentication: ['signature', 'basic', 'path'],
  signature: snsSignature,
  deliveryIds: { signed: inPayload('MessageId'), unsigned: inHeader('x-amz-sns-message-id') },
  subject: (payload) => ({ sns: payload, message: messageOf(payload) }),
  fields: {
    state: 'message.NewStateValue',
    title: ['message.AlarmName', 'sns.Subject', 'message.subject'],
    fingerprint: ['message.AlarmArn', 'message.AlarmName'],
    startedAt: ['message.StateChangeTime', 'sns.Timestamp'],
    states: { insufficient_data: 'pending' },
  },
  subscription: subscriptionOf,
  limits: {
    burst: 60,
    why: 'A topic can have many alarms, and an outage changes many at once, each with its own request.',
  },
  setup: {
    where:
      'Create a subscription of the topic with the protocol HTTPS and this URL, then confirm it on this page. The token takes messages of the topics whose ARNs you enter.',
    values: [{ label: 'Endpoint', value: '{url}' }],
  },
};

/**
 * Returns the JSON in a message, such as an alarm of CloudWatch; the payload itself when SNS delivers it raw. Returns
 * undefined for a message that is not JSON.
 */
function messageOf(payload: unknown): unknown {
  const text = textAt(payload, 'Message');
  if (text === undefined) return payload;
  try {
    return parseExactJson(text);
  } catch {
    // A text for people.
    return undefined;
  }
}

function subscriptionOf(payload: unknown): SubscriptionMessage | undefined {
  const type = textAt(payload, 'Type');
  if (type !== 'SubscriptionConfirmation' && type !== 'UnsubscribeConfirmation') return undefined;
  const [topic, url] = [textAt(payload, 'TopicArn') ?? '', textAt(payload, 'SubscribeURL') ?? ''];
  const isOurs = isAmazonUrl(url) && new URL(url).searchParams.get('Action') === 'ConfirmSubscription';
  return {
    kind: type === 'SubscriptionConfirmation' ? 'requested' : 'ended',
    topic,
    confirmUrl: isOurs && topicPattern.test(topic) ? new URL(url).href : undefined,
  };
}

/** An ARN has no other characters. PostgreSQL would reject a topic or an address with U+0000. */
const topicPattern = /^[\x21-\x7e]{1,300}$/;
