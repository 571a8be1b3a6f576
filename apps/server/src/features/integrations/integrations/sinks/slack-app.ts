import type { HttpResult, OutboundRequest, SendResult } from '#features/platform/outbound/index.ts';
import { badField } from '#kernel/errors.ts';
import { jsonPost } from './json-post.ts';
import { messageOf } from './message.ts';
import { parameter } from './parameters.ts';
import type { Sink, SinkParameters } from './sink.ts';
import { slackText } from './slack.ts';

const defaultUrl = 'https://slack.com/api';
/** Errors that concern the message. Others, such as an unknown channel, can be corrected, and are retried. */
const finalErrors = new Set(['invalid_arguments', 'invalid_blocks', 'msg_blocks_too_long', 'msg_too_long', 'no_text']);
/** Errors after which a thread goes on, although its first message can no longer be updated. */
const notUpdatable = new Set(['cant_update_message', 'edit_window_closed']);

/** Slack, through the token of an app's bot (docs/spec#integration-requests). */
export const slackApp: Sink = {
  name: 'slack-app',
  displayName: 'Slack app',
  documentationUrl: 'https://docs.slack.dev/reference/methods/chat.postMessage',
  description:
    'Posts each event to a Slack channel as the bot of your Slack app. An incident or a hold is one message, which shows the state of now; its thread says when it ends, and at most every five minutes what is new.',
  howTo:
    'Create a Slack app with the scopes chat:write and chat:write.public, install it, and paste its bot token here. Invite the bot to a private channel.',
  parameters: [
    parameter({
      name: 'accessToken',
      displayName: 'Access token',
      description: 'The bot token of the Slack app, xoxb-….',
      required: true,
      sensitive: true,
    }),
    parameter({
      name: 'defaultChannels',
      displayName: 'Channel',
      description: 'The name or id of the channel. Create an integration for each further channel.',
      required: true,
    }),
    parameter({
      name: 'url',
      displayName: 'API URL',
      type: 'url',
      description: `The default is ${defaultUrl}; a proxy before it has another.`,
    }),
  ],
  threads: 'updates',
  checkParameters,
  urlOf: (parameters) => methodUrl(parameters, 'chat.postMessage'),
  buildRequest: (parameters, event, context) => {
    const { thread } = context;
    const begun = referenceOf(thread?.stored?.reference);
    // The first message of a thread shows the current state; the replies are its history.
    if (begun === undefined || thread === undefined) {
      const text = slackText(messageOf(event, context));
      return { ...call(parameters, 'chat.postMessage', { channel: channelsOf(parameters)[0] ?? '', ...text }), judge };
    }
    const text = slackText(messageOf(event, { ...context, thread: { ...thread, status: null } }));
    return { ...call(parameters, 'chat.postMessage', { ...threadTarget(begun), ...text }), judge };
  },
  buildUpdate: (parameters, context) => {
    const { thread } = context;
    const begun = referenceOf(thread?.stored?.reference);
    if (begun === undefined || thread === undefined || (thread.status ?? thread.firstHeadline) === null)
      return undefined;
    const text = slackText(
      messageOf(thread.first, { ...context, thread: { ...thread, headline: thread.firstHeadline } }),
    );
    return { ...call(parameters, 'chat.update', { ...begun, ...text }), judge: judgeUpdate };
  },
};

function checkParameters(parameters: SinkParameters): void {
  if (channelsOf(parameters).length !== 1)
    throw badField('parameters.defaultChannels', 'must name one channel: create an integration for each channel');
}

function channelsOf({ defaultChannels = '' }: SinkParameters): string[] {
  const all = defaultChannels.split(',').map((channel) => channel.trim());
  return all.filter((channel) => channel !== '');
}

function methodUrl({ url = '' }: SinkParameters, method: string): string {
  return `${(url === '' ? defaultUrl : url).replace(/\/+$/, '')}/${method}`;
}

function call(parameters: SinkParameters, method: string, body: object): OutboundRequest {
  const { accessToken = '' } = parameters;
  const request = jsonPost(methodUrl(parameters, method), body, { authorization: `Bearer ${accessToken}` });
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json; charset=utf-8' } };
}

/** A posted message: Slack names it by the id of its channel and its time. */
interface Posted {
  readonly channel: string;
  readonly ts: string;
}

/** Returns the message that a stored reference names; undefined when there is none. */
function referenceOf(reference: string | null | undefined): Posted | undefined {
  const [channel, ts] = reference?.split(' ') ?? [];
  return channel === undefined || ts === undefined ? undefined : { channel, ts };
}

function threadTarget({ channel, ts }: Posted) {
  return { channel, thread_ts: ts };
}

/** Returns the result of an answer: Slack reports errors with status 200. */
function judge(answer: HttpResult): SendResult {
  const error = errorOf(answer);
  if (error === undefined) return { ...answer, ...postedIn(answer.answer) };
  const failure = `Slack answered with an error: ${error}.`;
  return finalErrors.has(error) ? { failure, final: true } : { failure };
}

/** Returns the result of an update. When a person has deleted the message, the next attempt posts a new one. */
function judgeUpdate(answer: HttpResult): SendResult {
  const error = errorOf(answer);
  if (error === undefined || notUpdatable.has(error)) return answer;
  if (error === 'message_not_found')
    return { failure: 'Slack no longer has the first message of the thread. A new one follows.', referenceLost: true };
  return judge(answer);
}

function errorOf({ status, answer }: HttpResult): string | undefined {
  if (status !== 200 || /^\s*\{\s*"ok"\s*:\s*true\b/.test(answer)) return undefined;
  return /"error"\s*:\s*"([a-z0-9_]{1,60})"/.exec(answer)?.[1] ?? 'no JSON with an error';
}

/** Returns the reference of the posted message. Searches the answer instead of parsing it, because it may be cut. */
function postedIn(answer: string): { readonly reference?: string } {
  const channel = /"channel"\s*:\s*"([A-Z0-9]{1,40})"/.exec(answer)?.[1];
  const ts = /"ts"\s*:\s*"(\d{1,20}\.\d{1,10})"/.exec(answer)?.[1];
  return channel === undefined || ts === undefined ? {} : { reference: `${channel} ${ts}` };
}
