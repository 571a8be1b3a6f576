import { afterEach, beforeEach } from 'vitest';
import { givenCaller } from './access.ts';
import { runProgram as runToEnd } from './program.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from './server.ts';
import { type ServedUnleash, serveUnleash } from './unleash.ts';

/** A fake Unleash, an empty server, and the command that moves the one into the other, new for each test. */
export function useUnleashMove() {
  let unleash: ServedUnleash;
  let storage: TestStorage;
  let server: TestServer;
  let token: string;

  beforeEach(async () => {
    unleash = await serveUnleash();
    await start();
  });
  afterEach(async () => {
    await unleash.stop();
    await stop();
  });

  async function start(settings: Parameters<typeof startServer>[1] = {}) {
    storage = await createStorage();
    server = await startServer(storage, settings);
    ({ token } = await givenCaller(server, 'Admin'));
  }
  async function stop() {
    await server.stop();
    await storage.remove();
  }

  /** Runs a command of the program with the tokens of both; returns its exit code and its output. */
  async function runProgram(
    args: readonly string[],
    variables: Record<string, string> = { UNLEASH_TOKEN: unleash.token },
  ) {
    const env = { PATH: process.env['PATH'], YARDARM_URL: server.url, YARDARM_TOKEN: token, ...variables };
    const { code, stdout, stderr } = await runToEnd(args, env);
    return { code, text: stdout + stderr };
  }

  const bodyOf = (path: string) => unleash.answers[path]?.body;
  return {
    unleash: () => unleash,
    server: () => server,
    runProgram,
    run: (more: readonly string[] = [], variables?: Record<string, string>) =>
      runProgram(['import-from-unleash', unleash.url, ...more], variables),
    /** Starts the server anew, with other settings and without data. */
    async restartWith(settings: Parameters<typeof startServer>[1]) {
      await stop();
      await start(settings);
    },
    get: async (path: Parameters<TestServer['admin']['call']>[0], params: Record<string, string> = {}) =>
      (await server.admin.call(path, { params })).json,
    bodyOf,
    /** Replaces an answer of Unleash. */
    change(path: string, body: (old: never) => unknown) {
      unleash.answers[path] = { status: 200, body: body(bodyOf(path) as never) };
    },
  };
}
