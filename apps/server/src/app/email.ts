import { Counter } from 'prom-client';
import { createMailer, createSendToUser, type Mailer, type MailOutcome, MailQueue } from '../features/email/index.ts';
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
  const attempts = new Counter({
    name: 'email_attempts_total',
    help: 'Attempts to send e-mail to users (invitations, password links, review requests), by outcome',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  const queue = new MailQueue({
    mailer,
    onAttempt: (outcome: MailOutcome) => attempts.inc({ outcome }),
    onLost: (id, reason) => log.warn({ id, reason }, 'an e-mail to a user was not sent and is given up'),
  });
  lifetime.onStop('e-mail', () => queue.stop());
  return queue;
}
