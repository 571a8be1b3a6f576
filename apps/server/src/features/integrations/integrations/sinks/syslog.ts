import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Connection, SendResult } from '#features/platform/outbound/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { clientAddressOf, messageOf } from './message.ts';
import { parameter } from './parameters.ts';
import { caCertificate, parseServer, type ServerAddress } from './server-address.ts';
import type { Sink, SinkContext } from './sink.ts';

const protocols = { 'tls:': { port: 6514, tls: true } };
/** Facility 13 (log audit) and severity 5 (notice), as RFC 5424 numbers them. */
const priority = 13 * 8 + 5;
/** RFC 5424 lets receivers cut messages beyond 2048 bytes; the characters here may have four bytes. */
const maxText = 400;
const maxValue = 120;
/** How long the receiver may leave the connection open after the last byte, in milliseconds. */
const closeWaitMs = 1_000;

/** Syslog: RFC 5424 messages over TLS with octet counting, RFC 5425 (docs/spec#integration-requests). */
export const syslog: Sink = {
  name: 'syslog',
  displayName: 'Syslog',
  documentationUrl: 'https://www.rfc-editor.org/rfc/rfc5425',
  description: 'Sends each event as a syslog message (RFC 5424) over TLS.',
  howTo:
    'Enter the address of a syslog server that takes TLS, such as rsyslog, syslog-ng or a SIEM. The protocol has no answer: an event is delivered when the server has taken all bytes.',
  parameters: [
    parameter({
      name: 'url',
      displayName: 'Server',
      description: 'Such as tls://syslog.example.com:6514.',
      required: true,
    }),
    caCertificate,
  ],
  checkParameters: (parameters) => void parseServer(parameters, protocols),
  buildRequest: (parameters, event, context) => {
    const server = parseServer(parameters, protocols);
    const message = Buffer.from(syslogMessage(event, context));
    const frame = Buffer.concat([Buffer.from(`${message.length} `), message]);
    return { url: parameters['url'] ?? '', send: (connection) => send(server, connection, frame) };
  },
};

/** Returns the message of an event (RFC 5424, section 6). */
function syslogMessage(event: EventRow, context: SinkContext): string {
  const { baseUrl, messageId } = context;
  const { text, reason, outcome, url } = messageOf(event, { baseUrl });
  const values: readonly (readonly [string, string | null])[] = [
    ['id', String(event.id)],
    ['messageId', messageId],
    ['type', event.type],
    ['project', event.project],
    ['environment', event.environment],
    ['flag', event.feature_name],
    ['actor', event.created_by],
    ['address', clientAddressOf(event, context)],
    ['outcome', outcome],
    ['reason', reason],
    ['url', url],
  ];
  const data = values.flatMap(([name, value]) => (value === null ? [] : [`${name}="${escaped(value)}"`]));
  const header = [
    `<${priority}>1`,
    new Date(event.created_at).toISOString(),
    new URL(baseUrl).hostname.slice(0, 255),
    'yardarm',
    '-',
    event.type.slice(0, 32),
  ];
  // 32473 is the enterprise number for examples (RFC 5612), because Yardarm has no number of its own.
  const structured = `[yardarm@32473 ${data.join(' ')}]`;
  const words = oneLine(reason === null ? text : `${text} Reason: ${reason}`, maxText);
  return `${header.join(' ')} ${structured} \uFEFF${words}`;
}

function escaped(value: string): string {
  return oneLine(value, maxValue).replace(/["\\\]]/g, '\\$&');
}

/** Replaces control characters, and cuts without splitting a character. */
function oneLine(text: string, max: number): string {
  return [...text.replace(/\p{Cc}/gu, ' ')].slice(0, max).join('');
}

async function send({ port, tls }: ServerAddress, { address, signal }: Connection, frame: Buffer): Promise<SendResult> {
  const socket = connect({ host: address.address, port, ...tls, minVersion: 'TLSv1.2' });
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await once(socket, 'secureConnect', { signal });
    const closed = once(socket, 'close', { signal: AbortSignal.any([signal, AbortSignal.timeout(closeWaitMs)]) });
    socket.end(frame);
    socket.resume();
    await once(socket, 'finish', { signal });
    // A server that leaves the connection open has received the bytes; a server that resets it has not.
    await closed.catch((error: unknown) => {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    });
    return { delivered: 'The syslog server took the message.' };
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}
