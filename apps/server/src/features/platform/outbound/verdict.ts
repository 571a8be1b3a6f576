import { isDelivered, type SendResult } from './send.ts';

/**
 * The verdict on an attempt to send a message:
 *
 * - `retry`: the message is sent again, and the receiver counts as failing until it takes one.
 * - `refused`: the receiver works and refuses this message for good. The message is a dead letter, and the next message
 *   is sent at once.
 * - `gone`: the message is a dead letter, and the receiver counts as failing.
 */
export type Verdict = 'delivered' | 'retry' | 'refused' | 'gone';

/** The kinds of messages. An integration can be corrected before a retry; the request of a call is stored as it is. */
type MessageKind = 'integration' | 'call';

type Failure = 'no answer' | 'message' | 'later' | 'gone' | 'request' | 'server';

const statuses: readonly (readonly [Failure, readonly number[]])[] = [
  ['message', [400, 413, 415, 422]],
  ['later', [408, 409, 425, 429]],
  ['gone', [410]],
];

/** The verdict on each failure, for messages to integrations and for action calls. */
const verdicts: Readonly<Record<Failure, Readonly<Record<MessageKind, Verdict>>>> = {
  'no answer': { integration: 'retry', call: 'retry' },
  // 5xx.
  server: { integration: 'retry', call: 'retry' },
  later: { integration: 'retry', call: 'retry' },
  message: { integration: 'refused', call: 'refused' },
  gone: { integration: 'gone', call: 'refused' },
  // Any other status, such as 401 or 404: the URL or a credential is wrong.
  request: { integration: 'retry', call: 'refused' },
};

/** Returns what the result of an attempt means. */
export function verdictOf(result: SendResult, kind: MessageKind): Verdict {
  if (isDelivered(result) || 'delivered' in result) return 'delivered';
  if ('status' in result) return verdicts[failureOf(result.status)][kind];
  return result.refused === true || result.final === true ? 'refused' : verdicts['no answer'][kind];
}

function failureOf(status: number): Failure {
  const named = statuses.find(([, listed]) => listed.includes(status));
  if (named !== undefined) return named[0];
  return status >= 500 ? 'server' : 'request';
}
