import { describe, expect, it } from 'vitest';
import { RawConnection } from '../../apps/server/testing/raw-http.ts';
import { engines, useFixtures } from './fixtures.ts';
import type { Scene } from './scene.ts';
import type { Target } from './target.ts';
import { until } from './until.ts';

const { begin, onCleanUp, storage } = useFixtures();

/** With this setting, a shutdown that waited for its time-out would exceed the time limit of the test. */
const neverTimesOut = { GRACEFUL_SHUTDOWN_TIMEOUT: '600000' };
const testLimitMs = 120_000;

async function open(scene: Scene): Promise<RawConnection> {
  const connection = await RawConnection.open(scene.target.origin);
  onCleanUp(() => connection.end());
  return connection;
}

/**
 * Opens a connection and sends a whole request and, in the same segment, half of the head of another. The answer to the
 * first shows that the server has read both: it may close a connection on which it has read nothing.
 */
async function halfHeadSent(scene: Scene, path: string): Promise<RawConnection> {
  const connection = await open(scene);
  connection.write(`GET /health HTTP/1.1\r\nHost: test\r\n\r\nGET ${path} HTTP/1.1\r\nHost: test\r\n`);
  expect(await connection.reply()).toMatchObject({ status: 200 });
  return connection;
}

/** Opens a connection and sends half of the body of a signal, after the answer 100 Continue. */
async function halfSent(scene: Scene, { payload, key }: { payload: string; key?: string | undefined }) {
  const connection = await open(scene);
  const keyLine = key === undefined ? '' : `Idempotency-Key: ${key}\r\n`;
  const head = `${signalHead(scene.target, payload.length)}${keyLine}Expect: 100-continue\r\n\r\n`;
  connection.write(head + payload.slice(0, 10));
  expect(await connection.reply()).toMatchObject({ status: 100 });
  return connection;
}

function signalHead({ endpoint, signalToken }: Target, length: number): string {
  return `POST /api/signal-endpoint/${endpoint} HTTP/1.1\r\nHost: test\r\nAuthorization: ${signalToken}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;
}

async function untilItRefusesConnections(scene: Scene): Promise<void> {
  await until('the server to take no more connections', 5000, async () => {
    const connection = await RawConnection.open(scene.target.origin).catch(() => undefined);
    connection?.end();
    return connection === undefined;
  });
}

describe.each(engines)('a server on %s that gets SIGTERM', (engine) => {
  it(
    'answers requests in progress, is not ready, and exits with 0 and all acknowledged changes',
    async () => {
      const scene = await begin(await storage(engine), neverTimesOut);
      scene.startLoad();
      await scene.accepts(50, 10);
      const signal = scene.ledger.nextSignal(200);
      const late = await halfSent(scene, signal);
      const probe = await halfHeadSent(scene, '/ready');
      scene.server.signal('SIGTERM');
      await untilItRefusesConnections(scene);
      probe.write('\r\n');
      const notReady = await probe.reply();
      expect(notReady).toMatchObject({ status: 503, json: { name: 'ServiceUnavailableError' } });
      expect(notReady.headers.get('connection')).toBe('close');
      late.write(signal.payload.slice(10));
      const answered = await late.reply();
      expect(answered).toMatchObject({ status: 200, json: { duplicate: false } });
      signal.acknowledgedAs = answered.json.signals[0].id;
      expect(await scene.server.ended).toEqual({ code: 0, signal: null });
      await scene.stopLoad();
      await scene.audit();
    },
    testLimitMs,
  );

  it('waits for a sender that never finishes until its time-out', async () => {
    const scene = await begin(await storage(engine), { GRACEFUL_SHUTDOWN_TIMEOUT: '1000' });
    await halfSent(scene, { payload: '{"never":"finished"}' });
    const begun = performance.now();
    scene.server.signal('SIGTERM');
    expect(await scene.server.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeGreaterThan(900);
    // Without the setting it would wait 10 s.
    expect(performance.now() - begun).toBeLessThan(9000);
  });

  it(
    'exits at once on a second SIGTERM',
    async () => {
      const scene = await begin(await storage(engine), neverTimesOut);
      scene.startLoad();
      await scene.accepts(20, 5);
      await halfSent(scene, { payload: '{"never":"finished"}' });
      scene.server.signal('SIGTERM');
      await untilItRefusesConnections(scene);
      scene.server.signal('SIGTERM');
      expect(await scene.server.ended).toEqual({ code: 1, signal: null });
      await scene.stopLoad();
      await scene.audit();
    },
    testLimitMs,
  );
});
