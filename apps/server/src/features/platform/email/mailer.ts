import { createTransport } from 'nodemailer';
import type { SendResult } from '#features/platform/outbound/index.ts';
import { startOfText } from '#kernel/cut-text.ts';
import { htmlOf, type Mail, type Mailer, textOf } from './mail.ts';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. */
  readonly secure: boolean;
  readonly requireTls: boolean;
  readonly user: string;
  readonly password: string | undefined;
  /** An address, or a name with an address in angle brackets. */
  readonly sender: string;
  /** Certificate authorities to trust instead of the built-in ones. */
  readonly ca?: string;
}

const timeoutMs = 8000;
const maxSubject = 200;
const maxText = 50_000;

/** Creates a mailer. It opens a connection for each e-mail, because few are sent. */
export function createMailer(server: MailServer): Mailer {
  const { host, port, secure, requireTls, user, password, sender, ca } = server;
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(user === '' ? {} : { auth: { user, pass: password ?? '' } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([A-Za-z0-9.-]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost';
  return {
    url: `${secure ? 'smtps' : 'smtp'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    send: async (mail) => {
      try {
        const sent = await transport.sendMail({ from: sender, ...messageOf(mail, domain) });
        const [refused, all] = [sent.rejected.length, mail.to.length];
        return { delivered: `The mail server accepted the message for ${all - refused} of ${all} recipients.` };
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

function messageOf(mail: Mail, domain: string) {
  return {
    // Recipients are objects, so that a comma or an angle bracket in an address cannot add a recipient.
    to: mail.to.map((address) => ({ name: '', address })),
    subject: startOfText(oneLine(mail.subject), maxSubject),
    messageId: `<${mail.id}@${domain}>`,
    text: startOfText(textOf(mail), maxText),
    html: startOfText(htmlOf(mail), maxText),
    // Asks vacation responders not to answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** Replaces control characters: a line break could begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Describes an error by its codes only: messages of mail servers contain addresses. */
function failureOf(error: unknown): SendResult {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  const name = typeof code === 'string' ? code : 'unknown error';
  if (typeof responseCode !== 'number') return { failure: `The mail server could not be used: ${name}.` };
  const failure = `The mail server answered ${responseCode} (${name}).`;
  // Errors that are not about the message, such as a wrong password, are retried: the operator can correct the
  // settings.
  const isAboutMessage = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return isAboutMessage ? { failure, final: true } : { failure };
}
