import { normalizedText, sourceOf } from '#features/signals/signal-sources/index.ts';
import { signalValue } from '../log/index.ts';
import { payloadsOfBody } from './body.ts';
import type { Ingest } from './ingest.ts';

const body = Buffer.from('{"probe":"loop"}');
const request = {
  header: (name: string) => (name === 'content-type' ? 'application/json' : undefined),
  headersAfter: () => ({}),
};
const source = sourceOf({ source: 'generic', fields: null });

/**
 * Sends a probe through ingest: parses a body, and waits for a commit that does not store the probe. Returns the value
 * that filters read.
 */
export async function probeIngest(ingest: Ingest): Promise<unknown> {
  const [payload] = payloadsOfBody(body, request, source).payloads;
  if (payload === undefined) throw new Error('the body of the probe has no payload');
  const normalized = normalizedText(source, payload.value, request.header, null);
  await ingest.probe();
  return signalValue({ payload: payload.text, normalized });
}
