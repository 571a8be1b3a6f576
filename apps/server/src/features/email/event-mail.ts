import type { MailText } from './mail.ts';

export interface EventNews {
  readonly title: string;
  readonly text: string;
  readonly reason: string | null;
  readonly url: string;
}

/** Returns the e-mail about an event. */
export function eventMail({ title, text, reason, url }: EventNews): MailText {
  return {
    subject: `Yardarm: ${title}: ${text}`,
    paragraphs: [text, ...(reason === null ? [] : [`Reason: ${reason}`])],
    link: { label: 'Open the event', url },
  };
}
