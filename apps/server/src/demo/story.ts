import { setTimeout as pause } from 'node:timers/promises';
import { reportOrders } from './orders.ts';
import { type Senders, sendAlert } from './senders.ts';

const alert = { name: 'CheckoutErrors', summary: 'Checkout: 11 % of the requests fail' };

/**
 * Plays the story again and again, with `stepMs` milliseconds between its steps, until `stopped`: a deployment, an
 * alert, a hold, a recovery. `tell` is called with a line for each step.
 */
export async function playStory(
  senders: Senders,
  {
    stepMs,
    stopped,
    tell,
  }: { readonly stepMs: number; readonly stopped: AbortSignal; readonly tell: (line: string) => void },
): Promise<void> {
  const steps = [
    async (round: number) => {
      const body = { application: 'shop-checkout', version: `5.${round}.0`, status: 'finished' };
      await senders.pipeline.call('POST /api/signal-endpoint/pipeline', body);
      tell('The pipeline has deployed shop-checkout. See Signals.');
    },
    async () => {
      await reportOrders(senders.checkout, Date.now(), 0.11);
      await sendAlert(senders, 'firing', alert, Date.now());
      tell('CheckoutErrors fires: new-checkout is held off in production, and its release plan halts. See Now.');
    },
    async () => {
      await reportOrders(senders.checkout, Date.now(), 0.02);
      await sendAlert(senders, 'resolved', alert, Date.now());
      tell('CheckoutErrors is resolved: new-checkout is on again, and its plan goes on. See Incidents.');
    },
  ];
  for (let round = 1; ; round++) {
    for (const step of steps) {
      await pause(stepMs, undefined, { signal: stopped });
      await step(round);
    }
  }
}
