import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '#storage/tables/events.ts';
import { makeCertificate } from '#testing/certificate.ts';
import type { Thread } from '../threads/index.ts';
import { checkParameters, requireSink } from './index.ts';

const context = { messageId: 'msg_7', mailer: undefined, baseUrl: 'https://flags.example.com', showsOrigin: true };
const link = `${context.baseUrl}/history?event=7`;
const flagPage = `${context.baseUrl}/projects/shop/features/checkout`;
const event: EventRow = {
  id: 7,
  type: 'feature-environment-disabled',
  created_at: Date.UTC(2026, 10, 23, 3, 0, 0, 500),
  created_by: 'on-call <!channel> [x](https://evil.example.com) @everyone',
  created_by_user_id: 4,
  data: null,
  pre_data: null,
  tags: '[]',
  feature_name: 'checkout',
  project: 'shop',
  environment: 'production',
  group_type: null,
  group_id: null,
  request_id: null,
  signal_id: null,
  run_id: null,
  origin: null,
  outcome: null,
  digest: null,
  reason: 'INC-7 <b>',
};
const tags = ['type:feature-environment-disabled', 'project:shop', 'environment:production', 'flag:checkout'];
const hook = 'https://8.8.8.8/services/T/B/x';

/** Builds the request of a kind, with its body parsed. */
function requestOf(provider: string, parameters: Readonly<Record<string, string>>, thread?: Thread, of = event) {
  const sink = requireSink(provider);
  checkParameters(sink, parameters);
  const built = sink.buildRequest(parameters, of, { ...context, thread });
  if (!('body' in built)) throw new Error(`${provider} sends no HTTP request`);
  const { body, ...request } = built;
  return { ...request, body: JSON.parse(body) };
}

it('posts a section to Slack, with names that cannot mention a channel', () => {
  const { url, body } = requestOf('slack', { url: hook });
  expect(url).toBe(hook);
  const { text } = body.blocks[0].text;
  expect(body.blocks).toEqual([{ type: 'section', text: { type: 'mrkdwn', text } }]);
  expect(text).toContain('*checkout* in *production*');
  expect(text).toContain('&lt;!channel&gt;');
  expect(text).toContain('>INC-7 &lt;b&gt;');
  expect(text.endsWith(`<${link}|Open the event>`)).toBe(true);
});

it('posts an adaptive card to Microsoft Teams, without links from names', () => {
  const { body, headers } = requestOf('teams', { url: hook, customHeaders: '{"x-team":"1"}' });
  expect(headers).toMatchObject({ 'x-team': '1', 'content-type': 'application/json' });
  const [{ contentType, content }] = body.attachments;
  expect([body.type, contentType]).toEqual(['message', 'application/vnd.microsoft.card.adaptive']);
  expect(content).toMatchObject({
    type: 'AdaptiveCard',
    version: '1.4',
    actions: [
      { title: 'Open the flag', url: flagPage },
      { type: 'Action.OpenUrl', url: link },
    ],
  });
  expect(content.body.map(({ text }: { text: string }) => text).join(' ')).toContain('\\[x\\]\\(https');
});

it('posts an embed to Discord without mentions', () => {
  const { body } = requestOf('discord', { url: hook });
  expect(body).toMatchObject({
    embeds: [{ title: 'Flag disabled', url: link, timestamp: '2026-11-23T03:00:00.500Z' }],
    allowed_mentions: { parse: [] },
  });
});

it('names an account with asterisks in its name as it is', () => {
  const sent = (provider: string) =>
    requestOf(provider, { url: hook }, undefined, { ...event, created_by: 'ad**min', reason: null }).body;
  expect(sent('slack').text).toMatch(/^ad\*\*min: flag disabled/);
  expect(sent('slack').blocks[0].text.text).toMatch(/^\*ad∗∗min\*: flag disabled/);
  expect(sent('discord').embeds[0].description).toMatch(/^\*\*ad\\\*\\\*min\*\*: flag disabled/);
});

it.each(['slack', 'discord', 'teams'])(
  'shows bold and bidirectional characters of names and reasons as text: %s',
  (provider) => {
    const [created_by, reason] = ['*ann* \u202enimda', '**Approved** by *root* ~no~ `x` \u2066hidden\u200b'];
    const { body } = requestOf(provider, { url: hook }, undefined, { ...event, created_by, reason });
    const text = JSON.stringify(body);
    expect(text).not.toMatch(/[\u200b\u202e\u2066]/);
    expect(text).toContain('U+202E');
    const shown: Readonly<Record<string, () => string>> = {
      slack: () => body.blocks[0].text.text,
      discord: () => body.embeds[0].description,
      teams: () => body.attachments[0].content.body.map((block: { text: string }) => block.text).join('\n'),
    };
    const message = shown[provider]?.() ?? '';
    expect(message).not.toMatch(/(?<!\\)\*ann|\*\*Approved|(?<!\\)\*root|(?<!\\)[~`]/);
  },
);

it.each(['teams', 'datadog'])('refuses invalid extra headers of %s when they are saved', (provider) => {
  const given = provider === 'teams' ? { url: hook } : { apiKey: 'k' };
  expect(() => checkParameters(requireSink(provider), { ...given, customHeaders: '{' })).toThrow();
});

it('sends a change event to PagerDuty', () => {
  const { url, body, secrets } = requestOf('pagerduty', { routingKey: 'R0UT1NG' });
  expect(url).toBe('https://events.pagerduty.com/v2/change/enqueue');
  expect(secrets).toEqual(['R0UT1NG']);
  expect(body).toMatchObject({
    routing_key: 'R0UT1NG',
    payload: {
      summary: expect.stringContaining('flag disabled checkout in production'),
      source: context.baseUrl,
      timestamp: '2026-11-23T03:00:00.500Z',
      custom_details: { id: 7, featureName: 'checkout' },
    },
    links: [{ href: flagPage, text: 'Open the flag' }, { href: link }],
  });
});

describe('an alert of PagerDuty', () => {
  const thread = (isOpen: boolean) => ({
    subject: { key: 'holds:5:shop:disk-full', role: 'begins' as const },
    ...{ stored: undefined, first: event, isOpen, status: null, telling: 'send' as const, incidentId: null },
    ...{ headline: null, firstHeadline: null, newest: 0, digestAt: 0 },
  });
  const alertOf = (parameters: object, isOpen = true) =>
    requestOf('pagerduty-alerts', { routingKey: 'R0UT1NG', ...parameters }, thread(isOpen));

  it('is triggered and resolved with one key, and links to pages', () => {
    const { url, body, secrets } = alertOf({});
    expect(url).toBe('https://events.pagerduty.com/v2/enqueue');
    expect(secrets).toEqual(['R0UT1NG']);
    expect(body).toMatchObject({
      routing_key: 'R0UT1NG',
      event_action: 'trigger',
      dedup_key: expect.stringMatching(/^yardarm-[0-9a-f]{64}$/),
      payload: { summary: expect.stringContaining('checkout'), source: context.baseUrl, severity: 'warning' },
      client_url: `${context.baseUrl}/projects/shop/features/checkout`,
    });
    const end = alertOf({ severity: 'critical' }, false).body;
    expect(end).toMatchObject({
      event_action: 'resolve',
      dedup_key: body.dedup_key,
      payload: { severity: 'critical' },
    });
  });

  it('has one of the severities of PagerDuty', () => {
    expect(() => alertOf({ severity: 'high' })).toThrow('severity');
  });
});

it('posts an event to Datadog, to another site when the URL says so', () => {
  const { url, headers, body } = requestOf('datadog', { apiKey: 'dd-key', sourceTypeName: 'yardarm' });
  expect(url).toBe('https://api.datadoghq.com/api/v1/events');
  expect(headers).toMatchObject({ 'dd-api-key': 'dd-key' });
  expect(body).toMatchObject({
    title: 'Yardarm: Flag disabled',
    text: expect.stringContaining('Reason: INC-7'),
    tags,
    date_happened: 1795402800,
    source_type_name: 'yardarm',
  });
  expect(requestOf('datadog', { apiKey: 'k', url: 'https://api.datadoghq.eu/api/v1/events' }).url).toContain('.eu/');
});

it('creates an annotation in Grafana', () => {
  const { url, headers, body } = requestOf('grafana', { url: 'https://grafana.example.com/g/', token: 'glsa_x' });
  expect(url).toBe('https://grafana.example.com/g/api/annotations');
  expect(headers).toMatchObject({ authorization: 'Bearer glsa_x' });
  expect(body).toMatchObject({ time: event.created_at, tags: ['yardarm', ...tags] });
});

describe('OpenTelemetry logs', () => {
  it('have the shape of the examples in opentelemetry-proto', () => {
    const { url, headers, body } = requestOf('otlp', {
      url: 'https://8.8.8.8:4318',
      customHeaders: '{"x-api-key":"k"}',
    });
    expect(url).toBe('https://8.8.8.8:4318/v1/logs');
    expect(headers).toEqual({ 'content-type': 'application/json', 'x-api-key': 'k' });
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const [{ resource, scopeLogs }] = body.resourceLogs;
    expect(resource).toEqual({ attributes: [text('service.name', 'yardarm')] });
    expect(scopeLogs[0].scope).toEqual({ name: 'yardarm.events' });
    const [record] = scopeLogs[0].logRecords;
    expect(record).toMatchObject({
      timeUnixNano: '1795402800500000000',
      severityNumber: 9,
      severityText: 'INFO',
      eventName: 'yardarm.feature-environment-disabled',
      body: { stringValue: expect.stringContaining('checkout in production') },
    });
    expect(record.attributes).toEqual(
      expect.arrayContaining([
        { key: 'yardarm.event.id', value: { intValue: '7' } },
        text('yardarm.event.type', 'feature-environment-disabled'),
        text('yardarm.project', 'shop'),
        text('yardarm.environment', 'production'),
        text('feature_flag.key', 'checkout'),
        text('user.id', '4'),
        text('user.name', event.created_by),
        text('yardarm.message.id', 'msg_7'),
      ]),
    );
  });

  it.each([
    ['https://otlp.example.com/otlp/', 'https://otlp.example.com/otlp/v1/logs'],
    ['https://otlp.example.com/v1/logs', 'https://otlp.example.com/v1/logs'],
    ['https://otlp.example.com/otlp?tenant=a', 'https://otlp.example.com/otlp/v1/logs?tenant=a'],
  ])('sent to %s go to %s', (url, expected) => expect(requestOf('otlp', { url }).url).toBe(expected));

  it.each([
    ['{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"too \\"old\\""}}', 'too'],
    ['{"partialSuccess":{"rejectedLogRecords":1}}', 'rejected'],
  ])('are a final failure after the answer %s', (answer, why) => {
    const judged = requestOf('otlp', { url: hook }).judge?.({ status: 200, answer });
    expect(judged).toEqual({ failure: expect.stringContaining(why), final: true });
  });

  it.each(['{}', '{"partialSuccess":{"rejectedLogRecords":"0","errorMessage":"use gzip"}}', ''])(
    'are delivered after the answer %s',
    (answer) => {
      expect(requestOf('otlp', { url: hook }).judge?.({ status: 200, answer })).toEqual({ status: 200, answer });
    },
  );
});

describe('the Slack app', () => {
  const parameters = { accessToken: 'xoxb-1', defaultChannels: 'general' };

  it('posts to a channel as the bot', () => {
    const { url, headers, body } = requestOf('slack-app', parameters);
    expect(url).toBe('https://slack.com/api/chat.postMessage');
    expect(headers).toEqual({ authorization: 'Bearer xoxb-1', 'content-type': 'application/json; charset=utf-8' });
    expect(body).toMatchObject({ channel: 'general', unfurl_links: false });
    expect(body.blocks[0].text.text).toContain(link);
  });

  it.each([
    ['{"ok":true,"channel":"C1"}', { status: 200 }],
    ['{"ok":false,"error":"invalid_blocks"}', { failure: expect.stringContaining('invalid_blocks'), final: true }],
    ['{"ok":false,"error":"channel_not_found"}', { failure: expect.stringContaining('channel_not_found') }],
    ['{"ok":false,"error":"ratelimited"}', { failure: expect.stringContaining('ratelimited') }],
    ['<html>', { failure: expect.any(String) }],
  ])('judges the answer %s, which has the status 200', (answer, expected) => {
    const judged = requestOf('slack-app', parameters).judge?.({ status: 200, answer });
    expect(judged).toMatchObject(expected);
    expect(judged !== undefined && 'final' in judged).toBe('final' in expected);
  });

  it('refuses several channels in one integration', () => {
    expect(() => checkParameters(requireSink('slack-app'), { ...parameters, defaultChannels: 'a,b' })).toThrow(
      'channel',
    );
  });
});

describe('syslog', () => {
  /** Sends an event to a server of its own, and returns the message that the server received. */
  async function sent(of: EventRow, showsOrigin: boolean): Promise<string> {
    const certificate = makeCertificate();
    const received: Buffer[] = [];
    const server = createServer(certificate, (socket) => socket.on('data', (chunk) => received.push(chunk)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ended = once(server, 'secureConnection').then(([socket]) => once(socket, 'close'));
    try {
      const { port } = server.address() as AddressInfo;
      const parameters = { url: `tls://127.0.0.1:${port}`, caCertificate: certificate.cert };
      const built = requireSink('syslog').buildRequest(parameters, of, { ...context, showsOrigin });
      if (!('send' in built)) throw new Error('syslog sends an HTTP request');
      const address = { address: '127.0.0.1', family: 4 } as const;
      expect(await built.send({ address, signal: AbortSignal.timeout(10_000) })).toHaveProperty('delivered');
      await ended;
    } finally {
      server.close();
    }
    const [, length, message] = /^(\d+) (.*)$/s.exec(Buffer.concat(received).toString()) ?? [];
    expect(Buffer.byteLength(message ?? '')).toBe(Number(length));
    return message ?? '';
  }

  const denied: EventRow = {
    ...event,
    reason: 'INC-7 "now]"',
    outcome: 'refused',
    origin: JSON.stringify({
      address: '203.0.113.7',
      userAgent: null,
      method: 'session',
      sessionId: 3,
      tokenId: null,
    }),
  };

  it('names who, from where, with which outcome and why, in fields that the values cannot end', async () => {
    const message = await sent(denied, true);
    expect(message).toMatch(
      /^<109>1 2026-11-23T03:00:00\.500Z flags\.example\.com yardarm - feature-environment-disabled \[yardarm@32473 /,
    );
    expect(message).toContain(' flag="checkout" actor="on-call <!channel> [x\\](https://evil.example.com) @everyone"');
    expect(message).toContain(' address="203.0.113.7" outcome="refused" reason="INC-7 \\"now\\]\\"" url="https://');
    expect(message).toMatch(/\] \uFEFF.*checkout.* Reason: INC-7 "now\]"$/);
  });

  it('names no address where an administrator has not saved the integration', async () => {
    expect(await sent(denied, false)).not.toContain('203.0.113.7');
  });
});

describe('a long or odd text', () => {
  const parametersOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    slack: { url: hook },
    teams: { url: hook },
    discord: { url: hook },
    datadog: { apiKey: 'k' },
    grafana: { url: 'https://grafana.example.com', token: 't' },
    pagerduty: { routingKey: 'k'.repeat(32) },
    'pagerduty-alerts': { routingKey: 'k'.repeat(32) },
  };
  const texts = [
    '🔥'.repeat(3000),
    `a${'🔥'.repeat(3000)}`,
    '👨‍👩‍👧‍👦'.repeat(400),
    '&<>'.repeat(900),
    '_*[x](y)'.repeat(600),
    'half \ud83d',
  ];
  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
  };

  it.each(Object.keys(parametersOf).flatMap((provider) => texts.map((text) => [provider, text] as const)))(
    'is cut for %s between characters and entities',
    (provider, text) => {
      const long = { ...event, reason: text };
      const { body } = requestOf(provider, parametersOf[provider] ?? {}, undefined, long);
      const sent = textsIn(body);
      expect(sent.filter((part) => !part.isWellFormed())).toEqual([]);
      const parts = sent.flatMap((part) => part.split('…').slice(0, -1));
      // The characters of the family have a joiner between them.
      expect(parts.filter((part) => part.endsWith('\u200d'))).toEqual([]);
      if (provider === 'slack') expect(body.blocks[0].text.text).not.toMatch(/&(?!amp;|lt;|gt;)/);
      if (provider === 'slack') expect(body.blocks[0].text.text.length).toBeLessThanOrEqual(3000);
      if (provider === 'teams') expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(28_000);
    },
  );
});
