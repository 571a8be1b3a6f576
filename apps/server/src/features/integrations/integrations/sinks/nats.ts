import { cloudEventJson } from '#features/log/event-feed/index.ts';
import { eventJson } from '#features/log/events/index.ts';
import type { Connection, SendResult } from '#features/platform/outbound/index.ts';
import { badField } from '#kernel/errors.ts';
import { loadOptional, MissingPackage } from './optional-package.ts';
import { parameter } from './parameters.ts';
import { caCertificate, parseServer, type ServerAddress } from './server-address.ts';
import type { Sink, SinkParameters } from './sink.ts';

const protocols = { 'nats:': { port: 4222, tls: false }, 'tls:': { port: 4222, tls: true } };
/** The timeout of connecting, and of the answer, in milliseconds. Both together are shorter than that of an attempt. */
const timeoutMs = 4_000;
const subjectPattern = /^[A-Za-z0-9_-]{1,60}(\.[A-Za-z0-9_-]{1,60}){0,10}$/;

/** NATS JetStream (docs/spec#integration-requests). */
export const nats: Sink = {
  name: 'nats',
  displayName: 'NATS JetStream',
  documentationUrl: 'https://docs.nats.io/nats-concepts/jetstream',
  description: 'Publishes each event to a JetStream stream, as a CloudEvent.',
  howTo:
    'The operator installs the packages @nats-io/transport-node and @nats-io/jetstream where Yardarm is installed. Create a stream that takes the subjects below, such as yardarm.events.>. The stream drops repetitions by their Nats-Msg-Id.',
  parameters: [
    parameter({
      name: 'url',
      displayName: 'Server',
      description: 'Such as tls://nats.example.com:4222. Without TLS, unless the server requires it: nats://…',
      required: true,
    }),
    parameter({
      name: 'subject',
      displayName: 'Subject',
      description: 'The beginning of the subject. The type of the event follows: yardarm.events.feature-created.',
      required: true,
    }),
    parameter({ name: 'username', displayName: 'User name', description: 'The user of the NATS account.' }),
    parameter({ name: 'password', displayName: 'Password', description: 'The password of the user.', sensitive: true }),
    parameter({
      name: 'credentials',
      displayName: 'Credentials',
      type: 'textfield',
      description: 'The content of a .creds file, in place of user name and password.',
      sensitive: true,
    }),
    caCertificate,
  ],
  checkParameters: (parameters) => {
    parseServer(parameters, protocols);
    if (!subjectPattern.test(parameters['subject'] ?? ''))
      throw badField('parameters.subject', 'must be words of letters, digits, _ and -, separated by dots');
  },
  buildRequest: (parameters, event, { baseUrl, messageId }) => {
    const server = parseServer(parameters, protocols);
    const subject = `${parameters['subject']}.${event.type}`;
    const payload = cloudEventJson(event, eventJson(event), baseUrl);
    return {
      url: parameters['url'] ?? '',
      send: (connection) => publish(server, connection, parameters, { subject, payload, messageId }).catch(failureOf),
    };
  },
};

interface NatsMessage {
  readonly subject: string;
  readonly payload: string;
  readonly messageId: string;
}

async function publish(
  { port, tls }: ServerAddress,
  { address }: Connection,
  { username = '', password = '', credentials = '' }: SinkParameters,
  { subject, payload, messageId }: NatsMessage,
): Promise<SendResult> {
  const { connect, credsAuthenticator, headers } = await loadOptional(
    '@nats-io/transport-node',
    () => import('@nats-io/transport-node'),
  );
  const { jetstream } = await loadOptional('@nats-io/jetstream', () => import('@nats-io/jetstream'));
  const host = address.family === 6 ? `[${address.address}]` : address.address;
  const connection = await connect({
    servers: `${host}:${port}`,
    timeout: timeoutMs,
    reconnect: false,
    // Other servers of the cluster have addresses that were not checked.
    ignoreClusterUpdates: true,
    ...(username === '' ? {} : { user: username, pass: password }),
    ...(credentials === '' ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(credentials)) }),
    ...(tls === undefined ? {} : { tls }),
  });
  try {
    const contentType = headers();
    contentType.set('Content-Type', 'application/cloudevents+json');
    const options = { msgID: messageId, timeout: timeoutMs, headers: contentType };
    const { stream, seq } = await jetstream(connection).publish(subject, payload, options);
    return { delivered: `The stream ${stream} stored the event as ${seq}.` };
  } finally {
    await connection.close();
  }
}

/** The texts for errors of the client, by the names of the errors. Their own messages may contain addresses. */
const meanings: Readonly<Record<string, string>> = {
  AuthorizationError: 'NATS refused the user name, password or credentials.',
  PermissionViolationError: 'The NATS user must not publish to this subject.',
  JetStreamNotEnabled: 'No JetStream stream takes this subject, or the server has no JetStream.',
  TimeoutError: 'NATS did not answer in time.',
};

function failureOf(error: unknown): SendResult {
  if (error instanceof MissingPackage) return { failure: error.message };
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const failure = meanings[cause.name];
    if (failure !== undefined) return { failure };
  }
  throw error;
}
