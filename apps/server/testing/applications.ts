import { expect } from 'vitest';
import { freshName } from './flags.ts';
import type { TestServer } from './server.ts';
import { givenSdk } from './tokens.ts';

export interface Reported {
  readonly sdkVersion?: string;
  /** When given, the application registers with these strategies. */
  readonly strategies?: readonly string[];
  /** The flags in its usage report. */
  readonly flags?: readonly string[];
}

/** Creates an application by a request that changes its fields. */
export async function givenApplicationNamed(server: TestServer, appName: string): Promise<void> {
  const route = 'POST /api/admin/metrics/applications/:appName';
  const reply = await server.admin.call(route, { params: { appName }, body: {} });
  expect(reply.status).toBe(202);
}

/**
 * Creates an application with an instance `one` that has reported in development. Resolves when the report is stored.
 */
export async function givenApplication(server: TestServer, { sdkVersion, strategies, flags = [] }: Reported) {
  const appName = freshName('app');
  const sdk = await givenSdk(server);
  const reporter = { appName, instanceId: 'one', sdkVersion };
  if (strategies !== undefined) {
    const body = { ...reporter, strategies, started: server.clock.now(), interval: 15_000 };
    await sdk.call('POST /api/client/register', { body });
  }
  const now = server.clock.now();
  const toggles = Object.fromEntries(flags.map((name) => [name, { yes: 1, no: 0 }]));
  const bucket = flags.length === 0 ? null : { start: now, stop: now, toggles };
  await sdk.call('POST /api/client/metrics', { body: { ...reporter, bucket } });
  await server.app.service.usage.flush();
  const reply = await server.admin.call('GET /api/admin/metrics/applications/:appName', { params: { appName } });
  expect(reply.status).toBe(200);
  return appName;
}
