import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { api, urlOf } from '../../lib/api.ts';
import { freeName } from '../../lib/free-name.ts';

/**
 * The name of the tokens that this page creates. Lists of signals show it, so that users recognise the signals as
 * tests. A sample is sent to the endpoint itself, so that the guard, limits, recognition and actions of a sender apply.
 */
const testTokenName = 'Test signals';

/** Creates a token for test signals, and returns its secret. */
export async function createTestToken({ id, tokens }: SignalEndpoint): Promise<string> {
  const taken = tokens.map((token) => token.name);
  const name = freeName(testTokenName, taken, ' ');
  const { token } = await api('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
    params: { signalEndpointId: id },
    body: { name, authentication: 'bearer' },
  });
  return token;
}

/** The values that replace the placeholders of a sample. */
interface SampleTimes {
  /** The start of the alert, in ISO 8601. */
  readonly startedAt: string;
  readonly now: string;
  readonly id: string;
}

/** Returns a sample with its placeholders `{startedAt}`, `{now}` and `{id}` replaced. */
export function filledSample(sample: object, values: SampleTimes): object {
  const json = JSON.stringify(sample);
  return JSON.parse(json.replaceAll(/\{(startedAt|now|id)\}/g, (_, name: keyof SampleTimes) => values[name]));
}

/**
 * Sends a signal as a sender does: to the endpoint, with a token and without the session. Returns the id of the signal.
 * Rejects with the status and the message when the server refuses the signal.
 */
export async function sendAsSender(endpointName: string, token: string, body: string): Promise<number> {
  const response = await fetch(urlOf('POST /api/signal-endpoint/:name', { params: { name: endpointName } }), {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  const answer = (await response.json()) as { message?: string; signals?: readonly { readonly id: number }[] };
  const id = answer.signals?.[0]?.id;
  if (!response.ok)
    throw new Error(`The server refused it (${response.status}): ${answer.message ?? 'no reason given'}`);
  if (id === undefined) throw new Error('The server answered, but stored no signal.');
  return id;
}
