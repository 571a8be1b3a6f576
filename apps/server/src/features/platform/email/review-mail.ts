import type { MailText } from './mail.ts';

export interface ReviewRequest {
  readonly title: string;
  readonly project: string;
  readonly environment: string;
  readonly author: string;
  /** The page of the change request. */
  readonly url: string;
}

/** Returns the e-mail that asks for the review of a change request. */
export function reviewMail({ title, project, environment, author, url }: ReviewRequest): MailText {
  return {
    subject: `Review requested: ${title}`,
    paragraphs: [
      `${author} asks for the review of the change request "${title}" in the environment ${environment} of the project ${project}.`,
      'You get this e-mail because you may approve the change request.',
    ],
    link: { label: 'Open the change request', url },
  };
}
