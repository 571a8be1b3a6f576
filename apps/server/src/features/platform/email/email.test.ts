import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '#testing/certificate.ts';
import { givenDraft, givenPlace, requestChanges, setRequestState, switchingOn } from '#testing/change-requests.ts';
import { freshName, givenFlag } from '#testing/flags.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { type MailServer, startMailServer } from '#testing/mail-server.ts';
import { goodPassword, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { emailScenarios } from './email.scenarios.ts';
import { createMailer, MailQueue, passwordResetMail } from './index.ts';

const mail = { ...passwordResetMail('https://flags.example.com/x?token=t'), to: ['ada@example.com'], id: 'msg_1' };
const plain = { host: '127.0.0.1', secure: false, requireTls: false, user: '', password: undefined };
const sender = 'Flags <flags@example.com>';

describe('the mailer', () => {
  it('sends text and HTML with a Message-ID that stays the same, over plain SMTP', async () => {
    const server = await startMailServer({ disabledCommands: ['STARTTLS'] });
    const mailer = createMailer({ ...plain, port: server.port, sender });
    expect(await mailer.send(mail)).toEqual({
      delivered: 'The mail server accepted the message for 1 of 1 recipients.',
    });
    const [{ from, to, text } = { from: '', to: [], text: '' }] = server.received;
    expect([from, to]).toEqual(['flags@example.com', ['ada@example.com']]);
    expect(text).toContain('Message-ID: <msg_1@example.com>');
    expect(text).toContain('href="https://flags.example.com/x?token=t"');
    expect(text).toContain('Content-Type: text/plain');
    await server.close();
  });

  it('adds no header and no recipient from a subject or an address', async () => {
    const server = await startMailServer({ disabledCommands: ['STARTTLS'] });
    const mailer = createMailer({ ...plain, port: server.port, sender });
    await mailer.send({
      ...mail,
      subject: 'Hello\r\nBcc: eve@example.com',
      to: ['ada@example.com\r\nBcc: eve@example.com'],
    });
    for (const { to, text } of server.received) {
      expect(to).not.toContain('eve@example.com');
      expect(text).not.toMatch(/^Bcc:/im);
    }
    await server.close();
  });

  it('refuses a certificate that it does not trust, and tells no secret', async () => {
    const server = await startMailServer(makeCertificate());
    const mailer = createMailer({ ...plain, port: server.port, sender, user: 'flags', password: 'hunter2-secret' });
    const result = await mailer.send(mail);
    expect(result).toHaveProperty('failure');
    expect(JSON.stringify(result)).not.toMatch(/hunter2|ada@/);
    expect(server.received).toEqual([]);
    await server.close();
  });

  it('sends no password to a server without TLS when TLS is required', async () => {
    const attempts: string[] = [];
    const server = await startMailServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username }, _session, done) => {
        attempts.push(username ?? '');
        done(null, { user: username ?? '' });
      },
    });
    const options = { ...plain, port: server.port, sender, user: 'flags', password: 'hunter2-secret' };
    expect(await createMailer({ ...options, requireTls: true }).send(mail)).toHaveProperty('failure');
    expect(attempts).toEqual([]);
    expect(await createMailer(options).send(mail)).toHaveProperty('delivered');
    expect([attempts, server.received[0]?.user]).toEqual([['flags'], 'flags']);
    await server.close();
  });
});

describe('TLS', () => {
  const pair = makeCertificate();

  it.each([
    ['from the beginning', true],
    ['by STARTTLS', false],
  ])('%s encrypts e-mail and the login', async (_name, secure) => {
    const onAuth = acceptUser();
    const server = await startMailServer({ ...pair, secure, authOptional: false, onAuth });
    const login = { user: 'flags', password: 'hunter2-secret', requireTls: true };
    const mailer = createMailer({ ...plain, ...login, secure, port: server.port, sender, ca: pair.cert });
    expect(await mailer.send(mail)).toHaveProperty('delivered');
    expect(server.received).toMatchObject([{ encrypted: true, user: 'flags' }]);
    await server.close();
  });
});

function acceptUser(): NonNullable<SMTPServerOptions['onAuth']> {
  return ({ username }, _session, done) => done(null, { user: username ?? '' });
}

describe('the queue of e-mail to users', () => {
  it('repeats after a temporary failure, and gives up after a final answer or the last retry', async () => {
    const server = await startMailServer({ disabledCommands: ['STARTTLS'] });
    const outcomes: string[] = [];
    const lost: string[] = [];
    const queue = new MailQueue({
      mailer: createMailer({ ...plain, port: server.port, sender }),
      delaysMs: [0],
      onAttempt: (outcome) => outcomes.push(outcome),
      onLost: (id) => lost.push(id),
    });
    const ended = async (count: number) => expect.poll(() => outcomes.length).toBe(count);
    server.answers.push(451);
    queue.add(mail);
    await ended(2);
    server.answers.push(550);
    queue.add({ ...mail, id: 'refused' });
    await ended(3);
    server.answers.push(451, 451);
    queue.add({ ...mail, id: 'unlucky' });
    await ended(5);
    expect(outcomes).toEqual(['retried', 'sent', 'failed', 'retried', 'failed']);
    expect(lost).toEqual(['refused', 'unlucky']);
    expect(server.received).toHaveLength(1);
    await queue.stop();
    await server.close();
  });
});

describe('a server with a mail server', () => {
  let mailServer: MailServer;
  const settings = { emailHost: '127.0.0.1', emailSender: sender, emailPort: 1 };
  beforeAll(async () => {
    mailServer = await startMailServer({ disabledCommands: ['STARTTLS'] });
    settings.emailPort = mailServer.port;
  });
  afterAll(() => mailServer.close());
  const server = useServer(settings);

  testScenarios(server, emailScenarios);

  const mailTo = async (address: string) => {
    await server().app.service.email?.idle();
    return mailServer.received.filter(({ to }) => to.includes(address)).map(({ text }) => text);
  };
  const tokenIn = (text = '') => /token=([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? '';
  const create = async (more: object = {}) => {
    const email = `${freshName('u')}@example.com`;
    const body = { email, rootRole: 'Editor', ...more } as const;
    return { email, ...(await server().admin.call('POST /api/admin/user-admin', { body })) };
  };

  it('invites a new user, who sets a password by the link', async () => {
    const { email, json } = await create();
    expect(json.emailSent).toBe(true);
    const token = tokenIn((await mailTo(email))[0]);
    const body = { token, password: goodPassword };
    expect((await server().anonymous.call('POST /auth/reset/password', { body })).status).toBe(200);
    await logIn(server().anonymous, { username: email, password: goodPassword });
  });

  it('sends no invitation when the administrator wants none', async () => {
    const { email, json } = await create({ sendEmail: false });
    expect([json.emailSent, await mailTo(email)]).toEqual([false, []]);
  });

  it('sends a password link to a user who forgot the password, and answers the same for unknown users', async () => {
    const { email } = await create({ sendEmail: false, password: goodPassword });
    const ask = (address: string) =>
      server().anonymous.call('POST /auth/reset/password-email', { body: { email: address } });
    const [known, unknown] = [await ask(email), await ask('nobody@example.com')];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    expect(known.status).toBe(200);
    await expect.poll(async () => (await mailTo(email)).length).toBe(1);
    expect(await mailTo('nobody@example.com')).toEqual([]);
    expect([(await ask(email)).status, (await ask('nobody@example.com')).status]).toEqual([429, 429]);
    const body = { token: tokenIn((await mailTo(email))[0]), password: 'Another-G00d-One' };
    expect((await server().anonymous.call('POST /auth/reset/password', { body })).status).toBe(200);
  });

  it('sends the link that an administrator asks for, unless the administrator wants no e-mail', async () => {
    const { email } = await create({ sendEmail: false });
    const ask = async (more: object = {}) =>
      (await server().admin.call('POST /api/admin/user-admin/reset-password', { body: { id: email, ...more } })).json;
    expect((await ask({ sendEmail: false })).emailSent).toBe(false);
    const { emailSent, resetPasswordUrl } = await ask();
    const mails = await mailTo(email);
    expect([emailSent, mails.length]).toEqual([true, 1]);
    expect(mails[0]).toContain(resetPasswordUrl);
  });

  it('says in the 401 that a password link can be asked for by e-mail', async () => {
    const { status, json } = await server().anonymous.call('GET /api/admin/user');
    expect([status, json]).toMatchObject([401, { passwordResetByEmail: true }]);
  });

  it('asks the users who may approve for a review, but not the author', async () => {
    const approver = await create({ rootRole: 'Admin' });
    const viewer = await create({ rootRole: 'Viewer' });
    const { author, params, id } = await givenDraft(server());
    await setRequestState(author.client, params.projectId, id, 'In review');
    const reviewMails = async (address: string) =>
      (await mailTo(address)).filter((text) => text.includes(`/change-requests/${id}`));
    await expect.poll(async () => (await reviewMails(approver.email)).length).toBe(1);
    expect(await reviewMails(viewer.email)).toEqual([]);
  });

  it('does not ask an author who may approve', async () => {
    const author = await create({ rootRole: 'Admin', password: goodPassword });
    const approver = await create({ rootRole: 'Admin' });
    const headers = await logIn(server().anonymous, { username: author.email, password: goodPassword });
    const body = { description: 'laptop', expiresAt: '2099-01-01T00:00:00Z' };
    const token = await server().anonymous.call('POST /api/admin/user/tokens', { headers, body });
    const client = server().client(token.json.secret);
    const { params } = await givenPlace(server());
    const { id } = await requestChanges(client, params, switchingOn(params));
    await setRequestState(client, params.projectId, id, 'In review');
    const mailsTo = async (address: string) =>
      (await mailTo(address)).filter((text) => text.includes(`/change-requests/${id}`)).length;
    await expect.poll(() => mailsTo(approver.email)).toBe(1);
    expect(await mailsTo(author.email)).toBe(0);
  });

  it('delivers an event by e-mail, and again after a temporary failure', async () => {
    const parameters = { recipients: 'ops@example.com, dev@example.com' };
    const { id } = await givenIntegration(server(), { provider: 'email', parameters, events: ['feature-created'] });
    mailServer.answers.push(451);
    await givenFlag(server());
    await server().app.service.deliveries.idle();
    expect(await mailTo('ops@example.com')).toEqual([]);
    server().clock.advance(60_000);
    await server().app.service.deliveries.idle();
    const [text = ''] = await mailTo('ops@example.com');
    expect(text).toMatch(/Message-ID: <msg_[^>]+@example\.com>/);
    expect(text).toContain('/history?event=');
    const { json } = await server().admin.call('GET /api/admin/integrations/:id/deliveries', { params: { id } });
    expect(json.deliveries[0]).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it.each([
    'ops@example.com\r\nBcc: eve@example.com',
    'no address',
    Array.from({ length: 21 }, (_, i) => `a${i}@b.c`).join(),
  ])('refuses the recipients %j', async (recipients) => {
    const body = { provider: 'email', enabled: true, parameters: { recipients }, events: ['feature-created'] };
    expect((await server().admin.call('POST /api/admin/addons', { body })).status).toBe(400);
  });

  it('says in the settings of the user interface that e-mail is sent', async () => {
    expect((await server().admin.call('GET /api/admin/ui-config')).json.emailEnabled).toBe(true);
  });
});
