import { cloudEventJson } from '#features/log/event-feed/index.ts';
import { eventJson } from '#features/log/events/index.ts';
import type { Connection, SendResult } from '#features/platform/outbound/index.ts';
import { badField } from '#kernel/errors.ts';
import { loadOptional, MissingPackage } from './optional-package.ts';
import { parameter } from './parameters.ts';
import { caCertificate, parseServer, type ServerAddress } from './server-address.ts';
import type { Sink, SinkParameters } from './sink.ts';

const protocols = { 'redis:': { port: 6379, tls: false }, 'rediss:': { port: 6379, tls: true } };
const defaultLength = 100_000;
/** The timeout of connecting, and of each answer, in milliseconds. Two of them are shorter than that of an attempt. */
const timeoutMs = 4_000;

/** A Redis stream (docs/spec#integration-requests). */
export const redis: Sink = {
  name: 'redis',
  displayName: 'Redis stream',
  documentationUrl: 'https://redis.io/docs/latest/commands/xadd/',
  description: 'Appends each event to a Redis stream, as a CloudEvent.',
  howTo:
    'The operator installs the package @redis/client where Yardarm is installed. A message can be appended twice, after a lost answer: its field messageId stays the same.',
  parameters: [
    parameter({
      name: 'url',
      displayName: 'Server',
      description: 'Such as rediss://redis.example.com:6379. Without TLS: redis://…',
      required: true,
    }),
    parameter({ name: 'stream', displayName: 'Stream', description: 'The key of the stream.', required: true }),
    parameter({
      name: 'maxLength',
      displayName: 'Maximum length',
      description: `The number of messages that the stream keeps, about. The default is ${defaultLength}; 0 keeps all.`,
    }),
    parameter({
      name: 'username',
      displayName: 'User name',
      description: 'The default is the user of Redis: default.',
    }),
    parameter({ name: 'password', displayName: 'Password', description: 'The password of the user.', sensitive: true }),
    caCertificate,
  ],
  checkParameters: (parameters) => {
    parseServer(parameters, protocols);
    maxLengthOf(parameters);
  },
  buildRequest: (parameters, event, { baseUrl, messageId }) => {
    const fields = { messageId, event: cloudEventJson(event, eventJson(event), baseUrl) };
    const server = parseServer(parameters, protocols);
    return {
      url: parameters['url'] ?? '',
      send: (connection) => append(server, connection, parameters, fields).catch(failureOf),
    };
  },
};

function maxLengthOf({ maxLength = '' }: SinkParameters): number {
  if (maxLength === '') return defaultLength;
  if (!/^\d{1,12}$/.test(maxLength))
    throw badField('parameters.maxLength', 'must be a whole number of at most 12 digits');
  return Number(maxLength);
}

async function append(
  { port, tls }: ServerAddress,
  { address, signal }: Connection,
  parameters: SinkParameters,
  fields: Record<string, string>,
): Promise<SendResult> {
  const { createClient } = await loadOptional('@redis/client', () => import('@redis/client'));
  const { stream = '', username = '', password = '' } = parameters;
  const limits = { connectTimeout: timeoutMs, socketTimeout: timeoutMs, reconnectStrategy: false } as const;
  const target = { host: address.address, port, ...limits };
  const client = createClient({
    socket: tls === undefined ? target : { ...target, tls: true, ...tls },
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    disableOfflineQueue: true,
  });
  // Errors also reject the call that they concern; without a listener they would end the process.
  client.on('error', () => undefined);
  const abort = () => client.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await client.connect();
    const threshold = maxLengthOf(parameters);
    const trim = threshold === 0 ? {} : { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold } as const };
    const id = await client.xAdd(stream, '*', fields, trim);
    return { delivered: `Redis appended the event as ${id}.` };
  } finally {
    signal.removeEventListener('abort', abort);
    if (client.isOpen) client.destroy();
  }
}

/** Returns the failure of an attempt. Redis begins its errors with a code; what follows may name a user. */
function failureOf(error: unknown): SendResult {
  if (error instanceof MissingPackage) return { failure: error.message };
  const code = error instanceof Error ? /^([A-Z]{3,20})\b/.exec(error.message)?.[1] : undefined;
  if (code === undefined || code === 'ECONNREFUSED') throw error;
  return { failure: `Redis answered ${code}.` };
}
