import type { MailText } from './mail.ts';

/** Returns the e-mail that tells a new user of the account. `url`: a password link, or the login page. */
export function invitationMail(url: string, invitedBy: string, hasPassword: boolean): MailText {
  return {
    subject: 'Your account of Yardarm',
    paragraphs: [
      `${invitedBy} created an account for you in Yardarm, a service for feature flags.`,
      hasPassword ? 'Log in with your e-mail address.' : 'Set a password to log in. The link works once, for 24 hours.',
    ],
    link: { label: hasPassword ? 'Log in' : 'Set your password', url },
  };
}
