import type { Installation } from '../installation.ts';

/** Returns everyday requests of SDKs and people, in their proportions. Needs the flags `flag-0` to `flag-99`. */
export function everydayRequests({ adminToken, backendToken, frontendToken }: Installation) {
  const [admin, backend, frontend] = [adminToken, backendToken, frontendToken].map((authorization) => ({
    authorization,
    'content-type': 'application/json',
  }));
  const toggles = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`flag-${n}`, { yes: 3, no: 1, variants: { blue: 2 } }]),
  );
  const now = new Date().toISOString();
  const bucket = { start: now, stop: now, toggles };
  const metrics = {
    method: 'POST',
    path: '/api/client/metrics',
    headers: { ...backend },
    body: JSON.stringify({ appName: 'app-{{connection}}', instanceId: '{{connection}}', bucket }),
  };
  const poll = { method: 'GET', path: '/api/client/features', headers: { ...backend } };
  const toggle = (state: string) => ({
    method: 'POST',
    path: `/api/admin/projects/default/features/flag-{{connection}}/environments/development/${state}`,
    headers: { ...admin },
  });
  const read = (path: string) => ({ method: 'GET', path, headers: { ...admin } });
  return [
    metrics,
    poll,
    metrics,
    { method: 'GET', path: '/api/frontend?userId={{n}}', headers: { ...frontend } },
    metrics,
    toggle('on'),
    metrics,
    read('/api/admin/search/events?query=flag-{{connection}}&limit=50'),
    metrics,
    read('/api/admin/search/features?limit=50'),
    metrics,
    toggle('off'),
  ];
}
