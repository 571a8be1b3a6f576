import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenEnabled } from '#testing/flags.ts';
import { startTestReplica } from '#testing/replica.ts';
import { type TestServer, useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';
import { sourceOf } from './snapshot-file.ts';

describe('the snapshot of a replica', () => {
  const server = useServer();
  let snapshotDir: string;
  beforeEach(() => {
    snapshotDir = mkdtempSync(join(tmpdir(), 'yardarm-snapshot-'));
  });
  afterEach(() => rmSync(snapshotDir, { recursive: true, force: true }));

  const file = () => join(snapshotDir, 'replica.snapshot');
  /** Returns a server that cannot be reached: nothing listens on the port for discarded bytes. */
  const away = (known: TestServer): TestServer => ({ ...known, url: 'http://127.0.0.1:9' });

  /** Runs a replica until it has written its snapshot, and returns the secrets of its token and of an SDK. */
  async function givenSnapshot(url = server().url) {
    await givenEnabled(server());
    const { secret } = await givenToken(server());
    const replicaToken = (await givenToken(server(), { type: 'replica', environment: '*' })).secret;
    const settings = { replicaToken, snapshotDir };
    const replica = await startTestReplica(server(), { ...settings, upstreamUrl: url });
    await replica.caughtUp();
    const flags = await replica.client(secret).call('GET /api/client/features');
    await replica.stop();
    return { secret, settings: { ...settings, upstreamUrl: url }, flags };
  }

  it('is served while the server is away, with the same bytes and ETag', async () => {
    const { secret, settings, flags } = await givenSnapshot();
    const lines = readFileSync(file(), 'utf8').split('\n');
    expect(lines).toHaveLength(2);
    // The server stays where it is, so the snapshot becomes that of an address where nothing listens.
    const header = JSON.parse(lines[0] ?? '');
    const source = sourceOf('http://127.0.0.1:9', settings.replicaToken);
    writeFileSync(file(), `${JSON.stringify({ ...header, source })}\n${lines[1]}`);
    const replica = await startTestReplica(away(server()), { ...settings, upstreamUrl: 'http://127.0.0.1:9' });
    const again = await replica.client(secret).call('GET /api/client/features');
    expect(again.text).toBe(flags.text);
    expect(again.headers.get('etag')).toBe(flags.headers.get('etag'));
    expect((await replica.client(secret).request('GET', '/ready')).status).toBe(200);
    await replica.stop();
  });

  it('keeps the time for which the replica has been in sync, which decides with the setting whether it is ready', async () => {
    const { secret, settings } = await givenSnapshot();
    const ready = async (replicaReady: string) => {
      const [header = '', state] = readFileSync(file(), 'utf8').split('\n');
      const upstreamUrl = 'http://127.0.0.1:9';
      const source = sourceOf(upstreamUrl, settings.replicaToken);
      writeFileSync(file(), `${JSON.stringify({ ...JSON.parse(header), source })}\n${state}`);
      const replica = await startTestReplica(away(server()), { ...settings, upstreamUrl, replicaReady });
      const { status } = await replica.client(secret).request('GET', '/ready');
      await replica.stop();
      return status;
    };
    server().clock.advance(60_000);
    expect([await ready('any'), await ready('max-age=120'), await ready('max-age=30'), await ready('in-sync')]).toEqual(
      [200, 200, 503, 503],
    );
  });

  it('can be read by its owner only', async () => {
    chmodSync(snapshotDir, 0o755);
    await givenSnapshot();
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(snapshotDir).mode & 0o777).toString(8)).toBe('700');
  });

  it.each([
    ['damaged', (text: string) => text.slice(0, -10), 'is damaged'],
    ['empty', () => '', 'is damaged'],
    ['no snapshot', () => '<html>', 'is damaged'],
    ['of another format', (text: string) => text.replace('"format":1', '"format":99'), 'has the format 99'],
    ['of another upstream', (text: string) => text.replace(/"source":"./, '"source":"x'), 'of another upstream'],
  ])('is not used when it is %s, and the log says what to do', async (_, broken, message) => {
    const { secret, settings } = await givenSnapshot();
    writeFileSync(file(), broken(readFileSync(file(), 'utf8')));
    const replica = await startTestReplica(away(server()), settings);
    const told = replica.logged.find((line) => line.includes('the snapshot is not used')) ?? '';
    expect(told).toContain(message);
    expect(told).toContain('Delete it');
    await replica.stop();
    expect(secret).not.toBe('');
  });

  it('is written again after a write has failed', async () => {
    const replica = await startTestReplica(server(), { snapshotDir });
    await replica.caughtUp();
    rmSync(snapshotDir, { recursive: true });
    await replica.replica.keepNow();
    expect(replica.logged.some((line) => line.includes('keeping the snapshot failed'))).toBe(true);
    mkdirSync(snapshotDir);
    await givenEnabled(server());
    await replica.caughtUp();
    await replica.replica.keepNow();
    expect(statSync(file()).size).toBeGreaterThan(100);
    await replica.stop();
  });

  it('belongs to one replica', async () => {
    const replica = await startTestReplica(server(), { snapshotDir });
    await expect(startTestReplica(server(), { snapshotDir })).rejects.toThrow(
      'give each replica a directory of its own',
    );
    await replica.stop();
  });
});
