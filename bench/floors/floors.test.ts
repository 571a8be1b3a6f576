import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ClosedJob } from '../load/job.ts';
import { throughput } from '../load/throughput.ts';
import { startFloor } from './start.ts';

describe('floors', () => {
  it('send the bytes of a file, or 304 for a matching ETag', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'yardarm-bench-'));
    try {
      const file = join(directory, 'features.json');
      await writeFile(file, '{"version":2}');
      await using server = await startFloor('fastify-bytes', { args: ['--file', file] });
      const whole = await fetch(server.origin);
      expect(await whole.text()).toBe('{"version":2}');
      const etag = whole.headers.get('etag') ?? '';
      const known = await fetch(server.origin, { headers: { 'if-none-match': etag } });
      expect({ status: known.status, body: await known.text() }).toEqual({ status: 304, body: '' });
      const other = await fetch(server.origin, { headers: { 'if-none-match': '"other"' } });
      expect({ status: other.status, body: await other.text() }).toEqual({ status: 200, body: '{"version":2}' });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('send compressed bytes with their encoding', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'yardarm-bench-'));
    try {
      const file = join(directory, 'features.json.gz');
      await writeFile(file, gzipSync('{"version":2}'));
      await using server = await startFloor('fastify-bytes', { args: ['--file', file, '--encoding', 'gzip'] });
      const response = await fetch(server.origin);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(await response.json()).toEqual({ version: 2 });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('answer a signal in the shape of docs/spec#send-a-signal, and refuse what is not JSON', async () => {
    await using server = await startFloor('fastify-signal');
    const post = (body: string) =>
      fetch(`${server.origin}/api/signal-endpoint/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const answer = await post('{"status":"firing"}');
    expect(await answer.json()).toMatchObject({
      signals: [{ id: 1, payload: { status: 'firing' } }],
      duplicate: false,
    });
    expect((await post('{')).status).toBe(400);
  });

  it('are measured only when they answer as expected', async () => {
    await using server = await startFloor('fastify-bytes', { args: ['--size', '10'] });
    const job: ClosedJob = {
      kind: 'closed',
      origin: server.origin,
      requests: [{ method: 'GET', path: '/missing' }],
      connections: 2,
      warmupMs: 0,
      durationMs: 5000,
      maxRequests: 20,
    };
    const say = () => undefined;
    await expect(throughput(job, [200], say)).rejects.toThrow(
      'Expected only 200 from 20 requests, got {"statuses":{"404":20}',
    );
    expect(await throughput({ ...job, requests: [{ method: 'GET', path: '/' }] }, [200], say)).toBeGreaterThan(0);
  });
});
