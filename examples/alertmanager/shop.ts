import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemStorageProvider, initialize } from 'unleash-client';

// A service with a feature flag. Its new checkout pays through a new provider; the old one is still there.
//
//   POST /checkout              the customer in the header X-User-Id pays
//   PUT  /payments/up, /down    a switch that stands for that new provider
//   GET  /metrics               for Prometheus

const flag = 'new-checkout';
const flags = initialize({
  url: `${process.env.YARDARM_URL}/api`,
  appName: 'shop',
  customHeaders: { Authorization: process.env.YARDARM_TOKEN ?? '' },
  // Receives changes at once, by a stream. Without it the SDK polls every 15 s.
  experimentalMode: { type: 'streaming' },
  storageProvider: new InMemStorageProvider(),
});
flags.on('error', (error) => console.error(error));

let paymentsWork = true;

function checkout(userId: string | undefined): { path: 'new' | 'old'; code: number } {
  if (!flags.isEnabled(flag, userId === undefined ? {} : { userId })) return { path: 'old', code: 200 };
  return { path: 'new', code: paymentsWork ? 200 : 500 };
}

/** Counts of requests by their Prometheus labels. All start at 0, because a rate needs a first sample of 0. */
const requests = new Map<string, number>();
const labels = (path: 'new' | 'old', code: number) =>
  path === 'new' ? `feature_flag="${flag}",code="${code}"` : `code="${code}"`;
for (const [path, code] of [
  ['old', 200],
  ['new', 200],
  ['new', 500],
] as const)
  requests.set(labels(path, code), 0);

const server = createServer((request, response) => {
  const answer = (code: number, type: string, text: string) =>
    response.writeHead(code, { 'Content-Type': type }).end(text);
  switch (`${request.method} ${request.url}`) {
    case 'POST /checkout': {
      const { path, code } = checkout(request.headers['x-user-id']?.toString());
      requests.set(labels(path, code), (requests.get(labels(path, code)) ?? 0) + 1);
      return answer(code, 'application/json', JSON.stringify({ path }));
    }
    case 'PUT /payments/up':
    case 'PUT /payments/down':
      paymentsWork = request.url === '/payments/up';
      return answer(200, 'application/json', JSON.stringify({ paymentsWork }));
    case 'GET /metrics': {
      const lines = [...requests].map(([names, count]) => `http_requests_total{${names}} ${count}\n`);
      return answer(200, 'text/plain; version=0.0.4', `# TYPE http_requests_total counter\n${lines.join('')}`);
    }
    default:
      return answer(404, 'text/plain', 'There is nothing here.');
  }
});

// Listens only when the SDK has the flags: until then every flag is off.
flags.once('synchronized', () => {
  server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
    console.log(`The shop listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});

process.once('SIGTERM', () => {
  flags.destroy();
  server.close();
  server.closeAllConnections();
});
