import { expect } from 'vitest';
import { freshName } from './flags.ts';
import type { TestServer } from './server.ts';
import { givenSdk } from './tokens.ts';

export interface Reported {
  readonly sdkVersion?: string;
  /** It registers when it names them. */
  readonly strategies?: readonly string[];
  /** Flags that it says it evaluated. */
  readonly flags?: readonly string[];
}

/** An application that a person has described. */
export async function givenApplicationNamed(server: TestServer, appName: string): Promise<void> {
  const route = 'POST /api/admin/metrics/applications/:appName';
  const reply = await server.admin.call(route, { params: { appName }, body: {} });
  expect(reply.status).toBe(202);
}

/** An application of which an instance, `one`, has reported in development, once that is written. */
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
