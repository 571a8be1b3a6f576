import { parseExactJson } from '@yardarm/contract';
import { textAt } from '#kernel/payload-path.ts';
import { isAmazonUrl, snsSignature } from '../signatures/index.ts';
import { inHeader, inPayload } from './delivery-ids.ts';
import { alertLimits } from './limits.ts';
import type { SignalSource, SubscriptionMessage } from './source.ts';

/** The `detail-type` with which EventBridge reports that an alarm has changed its state. */
const alarmByEventBridge = 'CloudWatch Alarm State Change';

/** Amazon SNS, with the alarms of CloudWatch in its messages. */
export const sns: SignalSource = {
  name: 'sns',
  displayName: 'Amazon SNS (CloudWatch)',
  documentationUrl: 'https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html',
  authentication: ['signature', 'basic', 'path'],
  signature: snsSignature,
  takesText: true,
  deliveryIds: { signed: inPayload('MessageId'), unsigned: inHeader('x-amz-sns-message-id') },
  subject: (payload) => ({ sns: payload, message: messageOf(payload), text: textOf(payload) }),
  fields: {
    state: ['message.NewStateValue', 'message.detail.state.value'],
    title: ['message.AlarmName', 'message.detail.alarmName', 'sns.Subject', 'message.subject', 'text'],
    identity: {
      // The start is the time at which the state changed, so the end of an alarm has a later one.
      kinds: [
        { kind: null, name: ['message.AlarmArn'], hasState: true, start: 'report' },
        {
          kind: null,
          when: { 'message.detail-type': [alarmByEventBridge] },
          name: ['message.resources[0]'],
          hasState: true,
          start: 'report',
        },
        {
          kind: null,
          name: ['message.AWSAccountId', 'message.Region', 'message.AlarmName'],
          hasState: true,
          start: 'report',
        },
        { kind: null, name: ['message.AlarmName'], hasState: true, start: 'report' },
      ],
      otherwise: 'no state',
      former: ['message.AlarmArn', 'message.AlarmName'],
    },
    startedAt: ['message.StateChangeTime', 'message.detail.state.timestamp', 'sns.Timestamp'],
    states: { insufficient_data: 'pending' },
  },
  subscription: subscriptionOf,
  limits: {
    ...alertLimits,
    why: 'A topic can have many alarms, and an outage changes many at once, each with its own request.',
  },
  setup: {
    where:
      'Create a subscription of the topic with the protocol HTTPS and this URL, then confirm it on this page. The token takes messages of the topics whose ARNs you enter.',
    values: [{ label: 'Endpoint', value: '{url}' }],
  },
};

/** Returns a message for people; undefined for one of JSON. */
function textOf(payload: unknown): string | undefined {
  return typeof payload === 'string' ? payload : textAt(payload, 'Message');
}

/**
 * Returns the JSON in a message, such as an alarm of CloudWatch; the payload itself when SNS delivers it raw. Of a
 * message that is not JSON, returns the alarm in its subject, `ALARM: "checkout-5xx" in EU (Ireland)`, if it has one.
 */
function messageOf(payload: unknown): unknown {
  const text = textAt(payload, 'Message');
  if (text === undefined) return payload;
  try {
    return parseExactJson(text);
  } catch {
    const [, NewStateValue, AlarmName] = alarmSubject.exec(textAt(payload, 'Subject') ?? '') ?? [];
    return AlarmName === undefined ? undefined : { NewStateValue, AlarmName };
  }
}

const alarmSubject = /^(ALARM|OK|INSUFFICIENT_DATA): "(.+)" in /;

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
