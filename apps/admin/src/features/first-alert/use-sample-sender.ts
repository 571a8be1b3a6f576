import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { endpointsQuery, type SignalEndpoint, type SignalSource } from '../signals/signal-queries.ts';
import { createTestToken, filledSample, sendAsSender } from './send-sample.ts';

/** A signal that was sent from this page. */
export interface Sent {
  readonly id: number;
  readonly state: 'firing' | 'resolved';
}

/**
 * Returns a function that sends the sample of a source to an endpoint. Its first call creates the token that all calls
 * use.
 */
export function useSampleSender(endpoint: SignalEndpoint, source: SignalSource) {
  const queries = useQueryClient();
  const token = useRef<string>(undefined);
  // The start of the last alert: each firing alert has a new start, and the signal that ends the alert repeats it.
  const startedAt = useRef(new Date().toISOString());
  return useMutation({
    mutationFn: async (state: Sent['state']): Promise<Sent> => {
      if (source.sample === null) throw new Error(`there is no sample of ${source.displayName}`);
      if (token.current === undefined) {
        token.current = await createTestToken(endpoint);
        await queries.invalidateQueries(endpointsQuery);
      }
      const now = new Date().toISOString();
      if (state === 'firing') startedAt.current = now;
      const body = filledSample(source.sample[state], { startedAt: startedAt.current, now, id: crypto.randomUUID() });
      return { id: await sendAsSender(endpoint.name, token.current, body), state };
    },
  });
}

export type SampleSender = ReturnType<typeof useSampleSender>;
