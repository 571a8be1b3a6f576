import {
  createMailer,
  createSendToUser,
  type Mailer,
  MailQueue,
  mailOutcomes,
} from '#features/platform/email/index.ts';
import type { ServiceDependencies } from './dependencies.ts';

/** Builds the mailer and the queue of e-mail to users; without a mail server (EMAIL_HOST), nothing is sent. */
export function buildEmail(parts: ServiceDependencies) {
  const { config } = parts;
  if (config.emailHost === '') return { mailer: undefined, queue: undefined, sendToUser: createSendToUser(undefined) };
  const mailer = createMailer({
    host: config.emailHost,
    port: config.emailPort,
    secure: config.emailSecure,
    requireTls: config.emailRequireTls ?? config.emailPassword !== undefined,
    user: config.emailUser,
    password: config.emailPassword,
    sender: config.emailSender,
  });
  const queue = buildQueue(parts, mailer);
  return { mailer, queue, sendToUser: createSendToUser(queue) };
}

function buildQueue({ metrics, log, lifetime }: ServiceDependencies, mailer: Mailer): MailQueue {
  const countAttempt = metrics.countEach(
    'email_attempts_total',
    'Attempts to send e-mail to users (invitations, password links, review requests), by outcome',
    'outcome',
    mailOutcomes,
  );
  const queue = new MailQueue({
    mailer,
    onAttempt: countAttempt,
    onLost: (id, reason) => log.warn({ id, reason }, 'an e-mail to a user was not sent and is given up'),
  });
  lifetime.onStop('e-mail', () => queue.stop());
  return queue;
}
