import { plainSummary } from '@yardarm/contract';
import type { MailText } from './mail.ts';

export interface EventNews {
  readonly title: string;
  readonly text: string;
  readonly reason: string | null;
  /** The state of the incident or hold, in Markdown; null for an event that stands alone. */
  readonly status: string | null;
  /** Links to pages about the event; the last one is to the event itself. */
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

/** Returns the e-mail about an event. */
export function eventMail({ title, text, reason, status, links }: EventNews): MailText {
  const [link = { label: '', url: '' }, ...more] = links.map(({ text: label, url }) => ({ label, url }));
  return {
    subject: `Yardarm: ${title}: ${text}`,
    paragraphs: [
      text,
      ...(status === null ? [] : [plainSummary(status)]),
      ...(reason === null ? [] : [`Reason: ${reason}`]),
    ],
    link,
    more,
  };
}
