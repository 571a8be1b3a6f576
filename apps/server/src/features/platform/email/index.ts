export { eventMail } from './event-mail.ts';
export { invitationMail } from './invitation-mail.ts';
export type { Mailer } from './mail.ts';
export { MailQueue, mailOutcomes } from './mail-queue.ts';
export { createMailer } from './mailer.ts';
export { passwordResetMail } from './password-reset-mail.ts';
export { reviewMail } from './review-mail.ts';
export { createSendToUser, type SendToUser } from './user-mail.ts';
