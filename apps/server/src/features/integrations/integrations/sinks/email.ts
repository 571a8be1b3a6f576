import { eventMail } from '#features/platform/email/index.ts';
import { badField } from '#kernel/errors.ts';
import { digestsText } from '../threads/index.ts';
import { messageOf } from './message.ts';
import { parameter } from './parameters.ts';
import type { Sink, SinkParameters } from './sink.ts';

const maxRecipients = 20;
/** Addresses as mail servers accept them without quoting: nothing that could add a header or a recipient. */
const address = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/;

/** E-mail, through the mail server of the settings EMAIL_…. */
export const email: Sink = {
  name: 'email',
  displayName: 'E-mail',
  documentationUrl: 'https://github.com/nodemailer/nodemailer',
  description: `Sends each event by e-mail. ${digestsText}`,
  howTo: 'The operator sets the mail server with EMAIL_HOST. Enter the addresses that receive the events.',
  parameters: [
    parameter({
      name: 'recipients',
      displayName: 'Recipients',
      description: `E-mail addresses, separated by commas; at most ${maxRecipients}.`,
      required: true,
    }),
  ],
  threads: 'digests',
  checkParameters,
  buildRequest: (parameters, event, context) => {
    const { mailer, messageId } = context;
    if (mailer === undefined) throw new Error('no mail server is configured, set EMAIL_HOST');
    const mail = { ...eventMail(messageOf(event, context)), to: recipientsOf(parameters), id: messageId };
    return { url: mailer.url, trusted: true, send: () => mailer.send(mail) };
  },
};

function checkParameters(parameters: SinkParameters): void {
  const recipients = recipientsOf(parameters);
  if (recipients.length === 0 || recipients.length > maxRecipients)
    throw badField('parameters.recipients', `must have 1 to ${maxRecipients} addresses`);
  const invalid = recipients.find((recipient) => recipient.length > 254 || !address.test(recipient));
  if (invalid !== undefined)
    throw badField('parameters.recipients', `must be e-mail addresses, and ${invalid} is not one`);
}

function recipientsOf({ recipients = '' }: SinkParameters): string[] {
  const all = recipients.split(',').map((recipient) => recipient.trim());
  return [...new Set(all.filter((recipient) => recipient !== ''))];
}
