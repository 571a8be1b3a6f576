import type { TestServer } from './server.ts';

/** Sends one signal of the loop probe through the server; resolves when the probe has succeeded or failed. */
export async function probeLoop({ app }: TestServer): Promise<void> {
  const { loopProbe } = app.service;
  if (loopProbe === undefined) throw new Error('the loop probe is off');
  await loopProbe.run();
}

/** Lets a minute pass and sends the probe of that minute. */
export async function passProbe(server: TestServer): Promise<void> {
  server.clock.advance(60_000);
  await probeLoop(server);
}
