import type { SignalSourceName } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenToken, send } from '#testing/signals.ts';
import { signalSources } from './index.ts';

describe('missing or repeated fields of senders', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  const given = async (source: SignalSourceName) => {
    const body = { name: freshName('s'), source };
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body });
    const [authentication] = signalSources[source].authentication;
    const inPath = authentication === 'path';
    const { secret } = await givenToken(server(), json.id, 'sender', inPath ? { authentication } : {});
    return (text: string, headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' }) => {
      // A buffer, because fetch would send a string as text/plain.
      const raw = Buffer.from(text);
      return inPath
        ? server().anonymous.request('POST', `/api/signal-endpoint/${json.name}/${secret}`, { raw, headers })
        : send(server(), { name: json.name, token: secret }, raw, headers);
    };
  };
  const fingerprintOf = async (source: SignalSourceName, payload: object) => {
    const { json } = await (await given(source))(JSON.stringify(payload));
    return json.signals[0].normalized.fingerprint;
  };

  it('is JSON without Content-Type from Argo CD and Argo Rollouts, and 415 from others', async () => {
    const names = ['argo-cd', 'argo-rollouts', 'uptime-kuma'] as const;
    const replies = await Promise.all(names.map(async (name) => (await given(name))('{"phase":"Failed"}', {})));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 415]);
    expect(replies[0]?.json.signals[0]).toMatchObject({ normalized: { state: 'failed' } });
    expect(replies[2]?.json.message).toMatch(/^Content-Type is missing: it must be application\/json/);
    const compressed = await (await given('argo-cd'))('{}', { 'content-encoding': 'gzip' });
    expect(compressed.status).toBe(415);
  });

  it('is told apart by the namespace of canaries and applications of one name', async () => {
    const canary = { name: 'checkout', namespace: 'shop', phase: 'Failed' };
    const inShop = await fingerprintOf('flagger', canary);
    expect(await fingerprintOf('flagger', { ...canary, namespace: 'test' })).not.toBe(inShop);
    expect(await fingerprintOf('flagger', { ...canary, phase: 'Succeeded' })).toBe(inShop);
    expect(await fingerprintOf('flagger', { name: 'checkout' })).toBe('checkout');
    const application = { app: 'checkout', namespace: 'shop', uid: '0d1e', phase: 'Failed' };
    expect(await fingerprintOf('argo-cd', application)).toBe('0d1e');
    expect(await fingerprintOf('argo-cd', { app: 'checkout', phase: 'Failed' })).toBe('checkout');
  });

  it('is the method PUT, which Grafana can be set to', async () => {
    const { json: endpoint } = await server().admin.call('POST /api/admin/signal-endpoints', {
      body: { name: freshName('s'), source: 'grafana' },
    });
    const { secret } = await givenToken(server(), endpoint.id, 'sender');
    const { status, json } = await server().anonymous.request('PUT', `/api/signal-endpoint/${endpoint.name}`, {
      raw: JSON.stringify({ status: 'firing', groupLabels: { alertname: 'Latency' } }),
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
    expect([status, json.signals[0].normalized.state]).toEqual([200, 'firing']);
  });

  it('is pending while Uptime Kuma reports maintenance', async () => {
    const post = await given('uptime-kuma');
    const { json } = await post(JSON.stringify({ heartbeat: { status: 3, monitorID: 4 }, monitor: { id: 4 } }));
    expect(json.signals[0].normalized.state).toBe('pending');
  });

  it('is none for an event of Kubernetes of the type Normal, which would release holds', async () => {
    const post = await given('kubernetes-events');
    const event = { uid: '1', type: 'Normal', reason: 'Pulled', message: 'Image is present', createdAt: '2026-11-20' };
    const { json } = await post(JSON.stringify(event));
    expect(json.signals[0].normalized).toMatchObject({ state: null, title: 'Image is present' });
  });

  it.each([
    ...['Triggered', 'Re-Triggered', 'No Data', 'Re-No Data', 'Warn', 'Re-Warn', 'Renotify'].map(
      (transition) => [transition, 'firing'] as const,
    ),
    ['Recovered', 'resolved'] as const,
  ])('is, of the transition %s of a Datadog monitor, %s', async (alert_transition, state) => {
    const post = await given('datadog');
    const { json } = await post(JSON.stringify({ alert_transition, alert_id: '1' }));
    expect(json.signals[0].normalized.state).toBe(state);
  });

  it('is that of each transition of a Checkly check: it fails until it passes', async () => {
    const post = await given('checkly');
    const stateOf = async (alert_type: string) =>
      (await post(JSON.stringify({ alert_type, check_id: '1' }))).json.signals[0].normalized.state;
    for (const type of ['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE'])
      expect([type, await stateOf(type)]).toEqual([type, 'firing']);
    for (const type of ['ALERT_DEGRADED', 'ALERT_DEGRADED_REMAIN', 'ALERT_FAILURE_DEGRADED'])
      expect([type, await stateOf(type)]).toEqual([type, null]);
    for (const type of ['ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY'])
      expect([type, await stateOf(type)]).toEqual([type, 'resolved']);
  });

  it('is valid JSON when the name of a Checkly check has quotes, which its template encodes', async () => {
    const post = await given('checkly');
    const template = signalSources.checkly.setup.values.find(({ label }) => label === 'Body')?.value ?? '';
    const encoded = '&quot;Checkout&quot; has failed';
    const raw = template.replace('{{ALERT_TITLE}}', encoded).replaceAll(/\{\{\w+\}\}/g, 'x');
    const { status, json } = await post(raw);
    expect([status, json.signals[0].normalized.title]).toEqual([200, encoded]);
  });

  it('has no characters for which the JSON operators of PostgreSQL fail, so that the page Now is shown', async () => {
    const post = await given('alertmanager');
    const send = async (text: string) => {
      const labels = { alertname: text, severity: text };
      const alerts = [{ fingerprint: text, generatorURL: `https://example.com/${text}`, labels }];
      return (await post(JSON.stringify({ commonLabels: labels, alerts }))).json.signals[0].normalized;
    };
    const fingerprints = new Set<string>();
    for (const text of ['a\0b', 'half \ud83d', 'half \ud83e']) {
      const { title, severity, elements } = await send(text);
      const shown = text.replace('\0', '\ufffd').toWellFormed();
      expect([title, severity, elements[0].link]).toEqual([shown, shown, `https://example.com/${shown}`]);
      expect(elements[0].fingerprint).toMatch(new RegExp(`^${shown}…[0-9a-f]{64}$`));
      fingerprints.add(elements[0].fingerprint);
      expect((await server().admin.call('GET /api/admin/now')).status).toBe(200);
    }
    expect(fingerprints.size).toBe(3);
  });
});
