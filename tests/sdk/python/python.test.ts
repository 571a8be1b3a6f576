import { describe, expect, it } from 'vitest';
import { givenFlagIn } from '../../../apps/server/testing/flags.ts';
import { givenToken } from '../../../apps/server/testing/tokens.ts';
import { needing } from '../../machine/needing.ts';
import { type Program, usePrograms } from '../programs.ts';
import { useScene } from '../scene.ts';

describe('urllib3, which reads streams in blocks', needing('python'), () => {
  const scene = useScene();
  const start = usePrograms();

  async function readStream(path: string, headers: Readonly<Record<string, string>>): Promise<Program> {
    const program = start('python', './python/read-stream.py', {
      STREAM_URL: scene.server.url + path,
      STREAM_HEADERS: JSON.stringify(headers),
    });
    expect(await program.next()).toMatchObject({ status: 200 });
    return program;
  }

  it('gets each message of the stream of flags when it is sent, and the end', async () => {
    const params = await givenFlagIn(scene.server);
    const { secret } = await givenToken(scene.server);
    const stream = await readStream('/api/client/streaming', { authorization: secret });
    expect(await stream.next()).toMatch(/^id: \d+:[0-9a-f]+\nevent: unleash-connected\ndata: \{.*\}\n\n$/);
    await scene.switchFlag(params, 'on');
    const changed = await stream.next();
    expect(changed).toMatch(/^id: \d+:[0-9a-f]+\nevent: unleash-updated\ndata: \{.*\}\n\n$/);
    expect(changed).toContain(params.featureName);
    await scene.server.admin.call('POST /api/admin/streaming/disconnect-all');
    expect(await stream.next()).toBe('the end');
  });

  it('gets each notice of the stream for OpenFeature providers when it is sent', async () => {
    const params = await givenFlagIn(scene.server);
    const { secret } = await givenToken(scene.server, { type: 'frontend' });
    await scene.switchFlag(params, 'on');
    const { json } = await scene.server.client(secret).call('POST /ofrep/v1/evaluate/flags', { body: {} });
    // A stream that resumes (with `last-event-id`) begins with a notice.
    const stream = await readStream(json.eventStreams[0].endpoint.requestUri, { 'last-event-id': '1' });
    expect(await stream.next()).toMatch(
      /^id: \d+:[0-9a-f]+\nevent: message\ndata: \{"type":"refetchEvaluation".*\}\n\n$/,
    );
    await scene.switchFlag(params, 'off');
    expect(await stream.next()).toMatch(
      /^id: \d+:[0-9a-f]+\nevent: message\ndata: \{"type":"refetchEvaluation".*\}\n\n$/,
    );
  });
});
