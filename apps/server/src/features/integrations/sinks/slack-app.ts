import { badField } from '../../../kernel/errors.ts';
import type { HttpResult, SendResult } from '../../outbound/index.ts';
import { jsonPost } from './json-post.ts';
import { messageOf } from './message.ts';
import { checkParameterList, parameter } from './parameters.ts';
import type { Sink, SinkParameters } from './sink.ts';
import { slackText } from './slack.ts';

const url = 'https://slack.com/api/chat.postMessage';
/** Errors that concern the message. Others, such as an unknown channel, can be corrected, and are retried. */
const finalErrors = new Set(['invalid_arguments', 'invalid_blocks', 'msg_blocks_too_long', 'msg_too_long', 'no_text']);

/** Slack, through the token of an app's bot (docs/spec#integration-requests). */
export const slackApp: Sink = {
  name: 'slack-app',
  displayName: 'Slack app',
  documentationUrl: 'https://docs.slack.dev/reference/methods/chat.postMessage',
  description: 'Posts each event to a Slack channel as the bot of your Slack app.',
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
  ],
  checkParameters,
  urlOf: () => url,
  buildRequest: (parameters, event, { baseUrl }) => {
    const { accessToken = '' } = parameters;
    const body = { channel: channelsOf(parameters)[0] ?? '', ...slackText(messageOf(event, baseUrl)) };
    const request = jsonPost(url, body, { authorization: `Bearer ${accessToken}` });
    return { ...request, headers: { ...request.headers, 'content-type': 'application/json; charset=utf-8' }, judge };
  },
};

function checkParameters(parameters: SinkParameters): void {
  checkParameterList(slackApp, parameters);
  if (channelsOf(parameters).length !== 1)
    throw badField('parameters.defaultChannels', 'must name one channel: create an integration for each channel');
}

function channelsOf({ defaultChannels = '' }: SinkParameters): string[] {
  const all = defaultChannels.split(',').map((one) => one.trim());
  return all.filter((one) => one !== '');
}

/** Returns the result of an answer: Slack reports errors with status 200. */
function judge(answer: HttpResult): SendResult {
  if (answer.status !== 200 || /^\s*\{\s*"ok"\s*:\s*true\b/.test(answer.answer)) return answer;
  const error = /"error"\s*:\s*"([a-z0-9_]{1,60})"/.exec(answer.answer)?.[1] ?? 'no JSON with an error';
  const failure = `Slack answered with an error: ${error}.`;
  return finalErrors.has(error) ? { failure, final: true } : { failure };
}
