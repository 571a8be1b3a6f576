import { readFileSync } from 'node:fs';
import type { SignalAuthentication, SignalSourceName } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '#testing/client.ts';
import { type TestServer, useServer } from '#testing/server.ts';
import { type Signed, signers } from '#testing/signatures.ts';
import { createSnsSender, topic } from '#testing/sns.ts';
import { signalSources } from './index.ts';

/** A request that a vendor documents or that was recorded, with the fields that its source recognises. */
interface Sample {
  readonly file: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly normalized: object | null;
}

const samples: Readonly<Record<SignalSourceName, readonly Sample[]>> = {
  generic: [{ file: 'grafana-alerting-firing.json', normalized: null }],
  alertmanager: [
    {
      file: 'alertmanager-0.25-firing-2-alerts.body.json',
      normalized: {
        state: 'firing',
        title: 'HighLatency',
        severity: 'page',
        startedAt: '2026-11-20T20:31:08.145Z',
        elements: [
          { state: 'firing', title: 'p99 over 2s', severity: 'page', fingerprint: 'aac8c84219340b7f', link: null },
          { fingerprint: '75072a3d82457715', link: 'http://prom.example/graph' },
        ],
      },
    },
    { file: 'alertmanager-0.25-resolved.body.json', normalized: { state: 'resolved' } },
  ],
  grafana: [
    {
      file: 'grafana-alerting-firing.json',
      normalized: {
        state: 'firing',
        title: 'Checkout p99 latency',
        startedAt: '2026-11-20T19:31:00.500Z',
        link: 'https://grafana.example.org/',
        elements: [{ state: 'firing', title: 'p99 above 2s for 5m', fingerprint: '9f3d1b6e2a774c10' }],
      },
    },
  ],
  datadog: [
    {
      file: 'datadog-webhook-default.json',
      normalized: { title: '[Triggered on {host:web-1}] CPU is high', startedAt: '2025-11-20T20:30:00.000Z' },
    },
    {
      file: 'datadog-webhook-form.txt',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      normalized: { title: '[Triggered] CPU is high' },
    },
  ],
  pagerduty: [
    {
      file: 'pagerduty-v3-incident-triggered.json',
      normalized: {
        state: 'firing',
        title: 'Checkout error rate',
        fingerprint: 'PGR0VU2',
        startedAt: '2026-11-20T20:31:01.000Z',
        link: 'https://example.pagerduty.com/incidents/PGR0VU2',
      },
    },
  ],
  sentry: [
    {
      file: 'sentry-metric-alert-critical.json',
      normalized: {
        state: 'firing',
        title: 'Too many errors in checkout',
        severity: 'critical',
        fingerprint: 'metric_alert 4',
      },
    },
    {
      file: 'sentry-issue-created.json',
      normalized: { state: 'firing', severity: 'error', link: 'https://example.sentry.io/issues/5001/' },
    },
  ],
  newrelic: [
    { file: 'newrelic-workflow.json', normalized: { state: 'firing', severity: 'CRITICAL' } },
    { file: 'newrelic-legacy-incident.json', normalized: { state: 'firing', title: 'High error rate' } },
  ],
  github: [
    {
      file: 'github-deployment_status.json',
      normalized: { state: 'succeeded', title: 'production', startedAt: '2019-05-15T15:20:55.000Z' },
    },
    { file: 'github-workflow_run.json', normalized: { state: 'pending', title: 'Manually triggered workflow' } },
    { file: 'github-ping.json', normalized: { state: null, title: 'Octocoders/Hello-World' } },
  ],
  gitlab: [
    {
      file: 'gitlab-deployment.json',
      normalized: {
        state: 'succeeded',
        title: 'production',
        fingerprint: 'deployment 15',
        startedAt: '2026-11-20T20:28:50.000Z',
      },
    },
  ],
  slack: [
    {
      file: 'slack-slash-command.txt',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      normalized: { title: 'checkout off' },
    },
  ],
  'standard-webhooks': [
    {
      file: 'standard-webhooks-alert.json',
      normalized: { title: 'alert.firing', startedAt: '2026-11-20T20:31:00.000Z' },
    },
  ],
  cloudevents: [
    {
      file: 'cloudevents-structured.json',
      headers: { 'content-type': 'application/cloudevents+json' },
      normalized: { title: 'checkout', startedAt: '2026-11-20T20:31:00.000Z' },
    },
  ],
  honeycomb: [
    {
      file: 'honeycomb-trigger.json',
      headers: { 'x-honeycomb-webhook-delivery-id': 'delivery-1' },
      normalized: {
        state: 'firing',
        title: 'Checkout latency',
        fingerprint: 'abdcefg',
        link: 'https://ui.honeycomb.io/team/datasets/shop/triggers/abdcefg',
      },
    },
  ],
  checkly: [
    {
      file: 'checkly-alert.json',
      normalized: { state: 'firing', title: 'Checkout API has failed', startedAt: '2026-11-20T20:31:00.000Z' },
    },
  ],
  'better-stack': [
    {
      file: 'better-stack-incident.json',
      normalized: {
        state: 'firing',
        title: 'checkout.example.com',
        fingerprint: '25',
        startedAt: '2026-11-20T20:31:00.000Z',
      },
    },
  ],
  'uptime-kuma': [
    {
      file: 'uptime-kuma-2.0.0-dev.0-down.body.json',
      normalized: { state: 'firing', title: 'Checkout', fingerprint: '1', link: null },
    },
    { file: 'uptime-kuma-2.0.0-dev.0-up.body.json', normalized: { state: 'resolved', title: 'Checkout' } },
    { file: 'uptime-kuma-2.0.0-dev.0-test.body.json', normalized: { state: null, title: 'Yardarm Testing' } },
  ],
  'argo-cd': [
    {
      file: 'argo-cd-sync.json',
      normalized: { state: 'failed', title: 'checkout', link: 'https://argocd.example.com/applications/checkout' },
    },
  ],
  'argo-rollouts': [{ file: 'argo-rollouts.json', normalized: { state: 'failed', title: 'checkout' } }],
  flagger: [
    {
      file: 'flagger-event.json',
      normalized: {
        state: 'failed',
        title: 'Rolling back checkout.shop failed checks threshold reached 5',
        severity: 'Warning',
        startedAt: '2026-11-20T20:31:00.000Z',
      },
    },
  ],
  sns: [
    {
      file: 'aws-sns-notification-cloudwatch.json',
      normalized: {
        state: 'firing',
        title: 'checkout-5xx',
        fingerprint: '123456789012 EU%20(Stockholm) checkout-5xx',
        startedAt: '2026-11-20T20:31:00.751Z',
      },
    },
  ],
  'kubernetes-events': [
    {
      file: 'kubernetes-event.json',
      normalized: {
        state: 'firing',
        title: 'Back-off restarting failed container checkout',
        startedAt: '2026-11-20T20:31:00.000Z',
      },
    },
  ],
};

const directory = new URL('../../../../../../tests/payloads/', import.meta.url);
const bodyOf = ({ file }: Sample) => readFileSync(new URL(file, directory));

/** Amazon SNS signs within the body. The secret of a token is the ARN of the topic that the token accepts. */
const sns = createSnsSender();
const signSns = ({ secret, body, seconds }: Signed): Buffer => {
  const Timestamp = new Date(seconds * 1000).toISOString();
  return sns.sign(
    { ...JSON.parse(body.toString()), Timestamp },
    secret === topic ? {} : { after: { Subject: 'Other' } },
  );
};

interface Place {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
  readonly header: string | null;
}

let made = 0;

async function givenSource(
  server: TestServer,
  source: SignalSourceName,
  authentication: SignalAuthentication,
): Promise<Place> {
  const name = `source-${++made}`;
  const { json: endpoint } = await server.admin.call('POST /api/admin/signal-endpoints', { body: { name, source } });
  const { header: named } = signalSources[source];
  const header = authentication === 'header' && named === undefined ? { header: 'X-My-Token' } : {};
  const topics = source === 'sns' && authentication === 'signature' ? { secret: topic } : {};
  const { json: token } = await server.admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
    params: { signalEndpointId: endpoint.id },
    body: { name: 'first', authentication, ...header, ...topics },
  });
  return { id: endpoint.id, name, secret: token.token, header: token.header };
}

/** Sends a body with the secret at the place that the authentication names. */
function send(
  server: TestServer,
  source: SignalSourceName,
  authentication: SignalAuthentication,
  { name, secret, header }: Place,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const seconds = Math.floor(server.clock.now() / 1000);
  const proof: Readonly<Record<SignalAuthentication, () => Record<string, string>>> = {
    bearer: () => ({ authorization: `Bearer ${secret}` }),
    basic: () => ({ authorization: `Basic ${Buffer.from(`anyone:${secret}`).toString('base64')}` }),
    header: () => ({ [header ?? '']: secret }),
    path: () => ({}),
    signature: () => signers[source]?.({ secret, body, seconds }) ?? {},
  };
  const path = `/api/signal-endpoint/${name}${authentication === 'path' ? `/${secret}` : ''}`;
  return server.anonymous.request('POST', path, {
    raw: source === 'sns' && authentication === 'signature' ? signSns({ secret, body, seconds }) : body,
    headers: { 'content-type': 'application/json', ...headers, ...proof[authentication]() },
  });
}

/** The headers that a vendor sends when the secret is entered in a separate field of its form. */
const ownHeaders: Partial<Readonly<Record<SignalSourceName, (secret: string) => Record<string, string>>>> = {
  alertmanager: (secret) => ({ authorization: `Bearer ${secret}` }),
  grafana: (secret) => ({ authorization: `Bearer ${secret}` }),
  newrelic: (secret) => ({ authorization: `Bearer ${secret}` }),
  honeycomb: (secret) => ({ 'x-honeycomb-webhook-token': secret }),
  gitlab: (secret) => ({ 'x-gitlab-token': secret }),
};

/**
 * Returns the headers that the set-up of a source sets: as JSON, as a line with a bearer token, or by a separate field
 * of the vendor's form.
 */
function headersOfRecipe(
  source: SignalSourceName,
  values: readonly { readonly label: string; readonly value: string }[],
  recipe: string,
  secret: string,
): Record<string, string> {
  const json = values.find(({ label }) => /headers$/i.test(label))?.value;
  if (json !== undefined) return JSON.parse(json);
  if (recipe.includes(`Bearer ${secret}`)) return { authorization: `Bearer ${secret}` };
  return recipe.includes(secret) ? (ownHeaders[source]?.(secret) ?? {}) : {};
}

const table = Object.values(signalSources);
const ways = table.flatMap(({ name, authentication }) => authentication.map((way) => ({ name, way })));

describe('signal sources', () => {
  const settings = { signalEndpointsLimit: 1000, badTokenRatePerMinute: 0, signalBurst: 1000 };
  const server = useServer(settings, sns.fetchText);

  describe.each(table)('$name', ({ name, authentication: [way] }) => {
    let place: Place;
    beforeAll(async () => {
      place = await givenSource(server(), name, way);
    });

    it.each(samples[name])('recognises $file', async (sample) => {
      const reply = await send(server(), name, way, place, bodyOf(sample), sample.headers);
      expect(reply.status, reply.text).toBe(200);
      const [signal] = reply.json.signals;
      if (sample.normalized === null) expect(signal.normalized).toBeNull();
      else expect(signal.normalized).toMatchObject(sample.normalized);
      const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
        params: { signalEndpointId: place.id },
        query: { limit: 1 },
      });
      expect(json.signalEndpointSignals[0]).toMatchObject({ id: signal.id, normalized: signal.normalized });
    });
  });

  it.each(table.filter(({ name }) => name !== 'generic'))(
    '$name has a row in the guide and the specification',
    (source) => {
      const [guide, specification] = ['guides/signals.md', 'spec/signals-and-events.md'].map((page) =>
        readFileSync(new URL(`../../../../../../docs/${page}`, import.meta.url), 'utf8'),
      );
      expect(guide).toContain(`| \`${source.name}\` | \`${source.authentication[0]}\` |`);
      expect(specification).toContain(`| \`${source.name}\` |`);
    },
  );

  it.each(table)('$name is set up by its recipe alone', async ({ name, authentication: [way], setup }) => {
    const place = await givenSource(server(), name, way);
    const url = `${server().url}/api/signal-endpoint/${place.name}`;
    const fill = (text: string) =>
      text.replaceAll('{url}', way === 'path' ? `${url}/${place.secret}` : url).replaceAll('{secret}', place.secret);
    const values = setup.values.map(({ label, value }) => ({ label, value: fill(value) }));
    const recipe = [...values.map(({ value }) => value), fill(setup.code ?? '')].join('\n');
    const [address = ''] = /https?:\/\/\S+/.exec(recipe) ?? [];
    const [sample] = samples[name];
    const body = bodyOf(sample as Sample);
    const seconds = Math.floor(server().clock.now() / 1000);
    const signed = way === 'signature' ? signers[name]?.({ secret: place.secret, body, seconds }) : undefined;
    const { status, text } = await server().anonymous.request('POST', address.slice(server().url.length), {
      raw: name === 'sns' ? signSns({ secret: place.secret, body, seconds }) : body,
      headers: {
        'content-type': 'application/json',
        ...sample?.headers,
        ...(signed ?? headersOfRecipe(name, values, recipe, place.secret)),
      },
    });
    expect(status, text).toBe(200);
    // The set-up contains a secret that the server created. A secret from the vendor is entered in Yardarm instead.
    const isEntered = name === 'sns' || ['pagerduty', 'sentry', 'slack'].includes(name);
    expect(recipe.includes(place.secret)).toBe(!isEntered);
  });

  it.each(ways)('$name admits $way, and nothing with another secret', async ({ name, way }) => {
    const place = await givenSource(server(), name, way);
    const [sample] = samples[name];
    const body = bodyOf(sample as Sample);
    const good = await send(server(), name, way, place, body, sample?.headers);
    expect(good.status, good.text).toBe(200);
    const wrong = await send(server(), name, way, { ...place, secret: `${place.secret.slice(0, -4)}AAA=` }, body);
    expect(wrong.status).toBe(401);
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', {
      params: { id: place.id },
    });
    const reason = way === 'signature' ? 'wrong signature' : 'unknown token';
    expect(json.refusals).toMatchObject([{ tokenId: null, reason, count: 1 }]);
  });
});
