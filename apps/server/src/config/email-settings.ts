import { type Settings, text, trueOrFalse, wholeNumber } from './setting-types.ts';

/** The settings of the mail server. Names and defaults are those of Unleash where Unleash has the setting. */
export const emailSettings = {
  emailHost: {
    names: ['EMAIL_HOST'],
    value: text.default(''),
    meaning:
      'Mail server (SMTP) for invitations, password resets, review requests and e-mail integrations. Empty: no e-mail is sent.',
  },
  emailPort: { names: ['EMAIL_PORT'], value: wholeNumber(1, 65535).default(587), meaning: 'Port of the mail server.' },
  emailSecure: {
    names: ['EMAIL_SECURE'],
    value: trueOrFalse.default(false),
    meaning:
      'true: connect with TLS, usually on port 465. false: begin without TLS, and switch to TLS (STARTTLS) when the mail server offers it.',
  },
  emailRequireTls: {
    names: ['YARDARM_EMAIL_REQUIRE_TLS'],
    value: trueOrFalse.optional(),
    meaning:
      'Send no e-mail without TLS. Default: true when EMAIL_PASSWORD is set, so that the password is not sent unencrypted.',
  },
  emailUser: { names: ['EMAIL_USER'], value: text.default(''), meaning: 'User name at the mail server.' },
  emailPassword: {
    names: ['EMAIL_PASSWORD'],
    value: text.optional(),
    secret: true,
    meaning: 'Password at the mail server.',
  },
  emailSender: {
    names: ['EMAIL_SENDER'],
    value: text.default('Yardarm <noreply@localhost>'),
    meaning: 'Sender of e-mail, such as Yardarm <flags@example.com>.',
  },
} satisfies Settings;
