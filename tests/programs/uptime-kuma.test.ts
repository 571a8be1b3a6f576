import { copyFileSync, cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenToken, received } from '../../apps/server/testing/signals.ts';
import { installPackages } from '../sdk/packages.ts';
import { type Program, startProgram } from './program.ts';

const directory = fileURLToPath(new URL('uptime-kuma/', import.meta.url));
const installed = join(directory, 'node_modules/uptime-kuma');
/** Installing some 150 MB of packages takes 36 s on two idle cores and 86 s on busy ones. */
const installsWithinMs = 240_000;
const login = { username: 'admin', password: 'First-Admin-42!' };
/** So long that no check runs by itself during the test. */
const intervalSeconds = 3600;
const outage = 20;
const statuses = { down: 0, up: 1, maintenance: 3 };

/** The part of a socket of Socket.IO that is used here. */
interface Socket {
  emitWithAck(event: string, ...values: readonly unknown[]): Promise<Answer>;
  once(event: 'heartbeat', take: (heartbeat: { readonly status: number }) => void): void;
  close(): void;
}
interface Answer {
  readonly ok: boolean;
  readonly msg: string;
  readonly id: number;
  readonly monitorID: number;
  readonly maintenanceID: number;
}
interface Signal {
  readonly normalized: { readonly state: string | null; readonly title: string; readonly fingerprint: string | null };
}

describe('Uptime Kuma with the notification that the setup shows', () => {
  // The default limits of an installation: one signal a second, and the burst that the source proposes.
  const server = useServer({ signalRatePerSecond: 1 });
  let isUp = false;
  const checkout = createServer((_request, response) => response.writeHead(isUp ? 200 : 503).end());
  let kuma: Program;
  let socket: Socket;
  let endpointId = 0;
  let notification: Readonly<Record<string, unknown>> = {};
  let monitorId = 0;

  /** Sends an event of Uptime Kuma's user interface. Rejects with the message of the answer when it is refused. */
  const call = async (event: string, ...values: readonly unknown[]): Promise<Answer> => {
    const answer = await socket.emitWithAck(event, ...values);
    if (!answer.ok) throw new Error(`${event}: ${answer.msg}`);
    return answer;
  };
  /**
   * Returns the status that Uptime Kuma finds in the check that `start` causes. It has sent its notification by then.
   */
  const statusAfter = async (start: () => Promise<unknown>): Promise<number> => {
    const heartbeat = new Promise<{ readonly status: number }>((resolve) => socket.once('heartbeat', resolve));
    await start();
    return (await heartbeat).status;
  };
  const check = () => statusAfter(() => call('resumeMonitor', monitorId));
  const signals = async (): Promise<readonly Signal['normalized'][]> => {
    const { json } = await received(server(), { id: endpointId });
    return json.signalEndpointSignals.map(({ normalized }: Signal) => normalized).reverse();
  };
  const refusals = async () => {
    const params = { id: endpointId };
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params });
    return json.refusals.map(({ reason }: { reason: string }) => reason);
  };

  beforeAll(async () => {
    await installPackages(directory, installsWithinMs);
    await new Promise<void>((resolve) => checkout.listen(0, '127.0.0.1', resolve));
    const body = { name: 'uptime-kuma', source: 'uptime-kuma' } as const;
    const { json: endpoint } = await server().admin.call('POST /api/admin/signal-endpoints', { body });
    endpointId = endpoint.id;
    const { secret } = await givenToken(server(), endpointId, 'uptime-kuma');
    const { json } = await server().admin.call('GET /api/admin/signal-sources');
    const { setup } = json.signalSources.find(({ name }: { name: string }) => name === 'uptime-kuma');
    notification = notificationOf(setup.values, {
      '{url}': `${server().url}/api/signal-endpoint/uptime-kuma`,
      '{secret}': secret,
    });
    kuma = await startUptimeKuma();
    const { io } = createRequire(join(installed, 'package.json'))('socket.io-client');
    socket = io(`http://127.0.0.1:${kuma.port}`, { transports: ['websocket'] });
    await call('setup', login.username, login.password);
    await call('login', { ...login, token: '' });
  }, installsWithinMs + 60_000);
  afterAll(async () => {
    socket?.close();
    await kuma?.stop();
    checkout.close();
  });

  it('sends its test notification, which has no state', async () => {
    await call('testNotification', notification);
    expect(await signals()).toMatchObject([{ state: null, title: 'Yardarm Testing', fingerprint: null }]);
  });

  it('sends a monitor that is down, and up again, as one alert', async () => {
    const { id } = await call('addNotification', notification, null);
    const add = async () => {
      monitorId = (await call('add', monitorOf(urlOf(checkout), id))).monitorID;
    };
    expect(await statusAfter(add)).toBe(statuses.down);
    isUp = true;
    expect(await check()).toBe(statuses.up);
    const alert = { title: 'Checkout', fingerprint: String(monitorId) };
    expect((await signals()).slice(1)).toMatchObject([
      { ...alert, state: 'firing' },
      { ...alert, state: 'resolved' },
    ]);
    expect(await refusals()).toEqual([]);
  });

  it('sends nothing about a maintenance, also not when a monitor that was down is up after it', async () => {
    isUp = false;
    expect(await check()).toBe(statuses.down);
    const before = await signals();
    expect(before.at(-1)?.state).toBe('firing');
    const { maintenanceID } = await call('addMaintenance', maintenance);
    await call('addMonitorMaintenance', maintenanceID, [{ id: monitorId }]);
    expect(await check()).toBe(statuses.maintenance);
    isUp = true;
    await call('deleteMaintenance', maintenanceID);
    expect(await check()).toBe(statuses.up);
    expect(await signals()).toEqual(before);
  });

  it(`loses none of ${outage} monitors that go down at once`, async () => {
    const before = (await signals()).length;
    isUp = false;
    const { id } = await call('addNotification', notification, null);
    const names = Array.from({ length: outage }, (_, n) => `Service ${n}`);
    await Promise.all(names.map((name) => call('add', { ...monitorOf(urlOf(checkout), id), name })));
    await expect.poll(async () => (await signals()).length - before, { timeout: 30_000 }).toBe(outage);
    expect(new Set((await signals()).slice(before).map(({ title }) => title))).toEqual(new Set(names));
    expect(await refusals()).toEqual([]);
  });

  it('sends a custom body as JSON only with a header that says so, and no form', async () => {
    const before = (await signals()).length;
    const custom = {
      ...notification,
      webhookContentType: 'custom',
      webhookCustomBody: '{"msg": "{{ msg }}", "monitor": {"name": "of my own"}}',
    };
    await expect(call('testNotification', custom)).rejects.toThrow('415');
    await expect(call('testNotification', { ...notification, webhookContentType: 'form-data' })).rejects.toThrow('415');
    const headers = JSON.parse(String(notification['webhookAdditionalHeaders']));
    const withType = {
      ...custom,
      webhookAdditionalHeaders: JSON.stringify({ ...headers, 'Content-Type': 'application/json' }),
    };
    await call('testNotification', withType);
    expect((await signals()).slice(before)).toMatchObject([{ title: 'of my own' }]);
    expect(await refusals()).toEqual(['wrong media type']);
  });
});

/** Returns a notification of the type Webhook, whose form is filled in with the values of the setup. */
function notificationOf(
  values: readonly { readonly label: string; readonly value: string }[],
  placeholders: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const fields: Readonly<Record<string, string>> = {
    'Post URL': 'webhookURL',
    'Request body': 'webhookContentType',
    'Additional headers': 'webhookAdditionalHeaders',
  };
  const presets: Readonly<Record<string, string>> = { 'Preset - application/json': 'json' };
  const filled = values.map(({ label, value }) => {
    const text = Object.entries(placeholders).reduce((all, [name, given]) => all.replaceAll(name, given), value);
    return [fields[label] ?? label, presets[text] ?? text];
  });
  return { name: 'Yardarm', type: 'webhook', isDefault: false, applyExisting: false, ...Object.fromEntries(filled) };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
}

function monitorOf(url: string, notificationId: number) {
  return {
    ...{ type: 'http', name: 'Checkout', url, method: 'GET', active: true },
    ...{ interval: intervalSeconds, retryInterval: intervalSeconds, timeout: 10, maxretries: 0, maxredirects: 0 },
    accepted_statuscodes: ['200-299'],
    kafkaProducerBrokers: [],
    kafkaProducerSaslOptions: { mechanism: 'None' },
    notificationIDList: { [notificationId]: true },
  };
}

const maintenance = {
  ...{ title: 'Upgrade', description: '', strategy: 'manual', active: true },
  ...{ intervalDay: 1, timezoneOption: 'UTC', dateRange: [], timeRange: [], weekdays: [], daysOfMonth: [] },
};

/** Starts Uptime Kuma with an empty database. The invalid proxy keeps it from looking for a newer version of itself. */
function startUptimeKuma(): Promise<Program> {
  return startProgram(
    process.execPath,
    ({ port, directory: own }) => {
      fillWorkingDirectory(own);
      const program = join(installed, 'server/server.js');
      return [program, '--host=127.0.0.1', `--port=${port}`, `--data-dir=${own}/`];
    },
    { https_proxy: 'http://127.0.0.1:1' },
  );
}

/** Writes the files that Uptime Kuma reads from its working directory. */
function fillWorkingDirectory(own: string): void {
  for (const name of ['server', 'src', 'dist']) symlinkSync(join(installed, name), join(own, name));
  cpSync(join(installed, 'db'), join(own, 'db'), { recursive: true });
  // The package has the newest schema changes in `db`, but the program looks for them in `db/old_migrations`.
  for (const name of readdirSync(join(installed, 'db')).filter((file) => file.endsWith('.sql')))
    copyFileSync(join(installed, 'db', name), join(own, 'db/old_migrations', name));
  writeFileSync(join(own, 'db-config.json'), JSON.stringify({ type: 'sqlite' }));
}
