import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { endpointsQuery, type SignalEndpoint, type SignalSource } from '../../entities/signals/signal-queries.ts';
import { serverNow } from '../../lib/server-time.ts';
import { createTestToken, filledSample, sendAsSender } from './send-sample.ts';

/** A signal that was sent from this page. */
export interface Sent {
  readonly id: number;
  readonly state: 'firing' | 'resolved';
}

/**
 * Returns the mutation that sends the sample of a source to an endpoint. Its first call creates the token that all
 * calls use.
 */
export function useSampleSender(endpoint: SignalEndpoint, source: SignalSource) {
  const queries = useQueryClient();
  const token = useRef<string>(undefined);
  // The start of the last alert: each firing alert has a new start, and the signal that ends the alert repeats it.
  const startedAt = useRef(new Date(serverNow()).toISOString());
  const bodyOf = (state: Sent['state'], startedAt: string): object => {
    if (source.sample === null) throw new Error(`there is no sample of ${source.displayName}`);
    return filledSample(source.sample[state], {
      startedAt,
      now: new Date(serverNow()).toISOString(),
      id: crypto.randomUUID(),
    });
  };
  const sending = useMutation({
    mutationFn: async (state: Sent['state']): Promise<Sent> => {
      if (token.current === undefined) {
        token.current = await createTestToken(endpoint);
        await queries.invalidateQueries(endpointsQuery);
      }
      if (state === 'firing') startedAt.current = new Date(serverNow()).toISOString();
      const body = JSON.stringify(bodyOf(state, startedAt.current));
      return { id: await sendAsSender(endpoint.name, token.current, body), state };
    },
  });
  return {
    ...sending,
    /** Returns what to send to the endpoint for an alert with this start; undefined until the first call. */
    requestOf: (state: Sent['state'], startedAt: string) =>
      token.current === undefined
        ? undefined
        : { url: endpoint.url, token: token.current, body: bodyOf(state, startedAt) },
  };
}

export type SampleSender = ReturnType<typeof useSampleSender>;
