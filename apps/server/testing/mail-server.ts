import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, with quoted-printable decoded. */
  readonly text: string;
  readonly encrypted: boolean;
  readonly user: string | undefined;
}

/**
 * Starts an SMTP server that accepts e-mail. While the returned `answers` has SMTP statuses, it refuses the next e-mail
 * with the first of them.
 */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const answers: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const responseCode = answers.shift();
        if (responseCode !== undefined)
          return done(Object.assign(new Error('refused as the test asked'), { responseCode }));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: decoded(Buffer.concat(chunks).toString()),
          encrypted: session.secure,
          user: session.user,
        });
        done();
      });
    },
    ...options,
  });
  // When a client refuses the certificate, its connection ends with an error, which is expected.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return { port, received, answers, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

function decoded(text: string): string {
  return text
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (encoded) => Buffer.from(encoded.replaceAll('=', ''), 'hex').toString());
}
