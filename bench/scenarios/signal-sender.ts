import { createHmac } from 'node:crypto';
import { callApi } from '../api.ts';
import type { RequestTemplate } from '../load/request.ts';
import type { RunningServer } from '../server.ts';

/** Creates a signal endpoint with a token. Returns the request that sends a payload, with optional further headers. */
export async function createSender(
  server: RunningServer,
  adminToken: string | undefined,
  more: { readonly name?: string; readonly source?: string } = {},
): Promise<(payload: string, headers?: Readonly<Record<string, string>>) => RequestTemplate> {
  const call = <Body>(path: string, body: unknown) => callApi<Body>(server.origin, adminToken, 'POST', path, body);
  const endpoint = await call<{ id: number }>('/api/admin/signal-endpoints', {
    name: 'bench',
    enabled: true,
    ...more,
  });
  const { token } = await call<{ token: string }>(`/api/admin/signal-endpoints/${endpoint.id}/tokens`, {
    name: 'bench',
  });
  return (payload, headers) => ({
    method: 'POST',
    path: `/api/signal-endpoint/${more.name ?? 'bench'}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: payload,
  });
}

/** Creates an endpoint for PagerDuty. Returns functions that make its requests: `withToken` and `signed`. */
export async function createSigningSender(server: RunningServer, adminToken: string | undefined) {
  const name = 'bench-signed';
  const call = <Body>(path: string, body?: unknown) => callApi<Body>(server.origin, adminToken, 'POST', path, body);
  const withToken = await createSender(server, adminToken, { name, source: 'pagerduty' });
  const list = await callApi<{ signalEndpoints: { id: number; name: string }[] }>(
    server.origin,
    adminToken,
    'GET',
    '/api/admin/signal-endpoints',
  );
  const endpoint = list.signalEndpoints.find((endpoint) => endpoint.name === name);
  const { token: secret } = await call<{ token: string }>(`/api/admin/signal-endpoints/${endpoint?.id}/tokens`, {
    name: 'signed',
    authentication: 'signature',
  });
  const signed = (payload: string): RequestTemplate => ({
    method: 'POST',
    path: `/api/signal-endpoint/${name}`,
    headers: {
      'content-type': 'application/json',
      'x-pagerduty-signature': `v1=${createHmac('sha256', secret).update(payload).digest('hex')}`,
    },
    body: payload,
  });
  return { withToken, signed };
}

/** Returns an alert as monitoring systems send it, filled up with labels to exactly `bytes` bytes, at least 300. */
export function alertOf(bytes: number): string {
  const labels: Record<string, string> = {};
  const alert = {
    version: '4',
    status: 'firing',
    receiver: 'flags',
    alerts: [{ status: 'firing', startsAt: '2026-01-31T12:00:00.000Z', annotations: { summary: 'Errors' }, labels }],
  };
  for (let n = 0; JSON.stringify(alert).length < bytes - 100; n += 1)
    labels[`label_${n}`] = `value ${n}`.padEnd(40, '.');
  labels.rest = '';
  labels.rest = 'x'.repeat(bytes - JSON.stringify(alert).length);
  return JSON.stringify(alert);
}
