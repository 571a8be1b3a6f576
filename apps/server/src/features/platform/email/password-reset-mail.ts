import type { MailText } from './mail.ts';

/** Returns the e-mail with a link to set a new password. `author` asked for the link. */
export function passwordResetMail(url: string, author = 'A user'): MailText {
  return {
    subject: 'Set a new password for Yardarm',
    paragraphs: [
      `${author} asked for a new password for your account of Yardarm.`,
      'The link works once, for 24 hours. If you do not want a new password, ignore this e-mail: nothing changes.',
    ],
    link: { label: 'Set a new password', url },
  };
}
