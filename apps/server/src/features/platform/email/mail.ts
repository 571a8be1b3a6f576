import type { SendResult } from '#features/platform/outbound/index.ts';

interface MailLink {
  readonly label: string;
  readonly url: string;
}

/** The text of an e-mail, without its recipients. */
export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A link to a page. Opening the page must change nothing, because mail programs fetch links. */
  readonly link: MailLink;
  /** Links to further pages. */
  readonly more?: readonly MailLink[];
}

export interface Mail extends MailText {
  readonly to: readonly string[];
  /** The id before the @ of the Message-ID: the same in all attempts, so that mail programs can drop a repetition. */
  readonly id: string;
}

/** Sends e-mail through the configured mail server. */
export interface Mailer {
  /** Protocol, host and port of the mail server. */
  readonly url: string;
  /** Sends an e-mail once. Never rejects; the result contains neither a recipient nor a secret. */
  send(mail: Mail): Promise<SendResult>;
}

/** Renders the text part. */
export function textOf({ paragraphs, link, more = [] }: MailText): string {
  const links = [link, ...more].map(({ label, url }) => `${label}:\n${url}`);
  return `${[...paragraphs, ...links].join('\n\n')}\n`;
}

/** Renders the HTML part: the same words, without images and remote content. */
export function htmlOf({ paragraphs, link, more = [] }: MailText): string {
  const body = paragraphs.map((text) => `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`);
  for (const { label, url } of [link, ...more]) body.push(`<p><a href="${escaped(url)}">${escaped(label)}</a></p>`);
  return `<!doctype html><html><body>${body.join('')}</body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
