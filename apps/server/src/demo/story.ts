import { reportOrders } from './orders.ts';
import { type Senders, sendAlert } from './senders.ts';

const alert = { name: 'CheckoutErrors', summary: 'Checkout: 11 % of the requests fail' };

export interface Telling {
  /** Resolves after so many seconds, and rejects when the story ends. */
  readonly pause: (seconds: number) => Promise<unknown>;
  /** Called with a line for each step. */
  readonly tell: (line: string) => void;
}

/** Plays the story again and again, until `pause` rejects: a deployment, an alert, a hold, a recovery. */
export async function playStory(senders: Senders, { pause, tell }: Telling): Promise<void> {
  for (let round = 1; ; round++) {
    const body = { application: 'shop-checkout', version: `5.${round}.0`, status: 'finished' };
    await senders.pipeline.call('POST /api/signal-endpoint/pipeline', body);
    tell('The pipeline has deployed shop-checkout. See Integrations → Signals.');
    await pause(5);

    await reportOrders(senders.checkout, Date.now(), 0.11);
    await sendAlert(senders, 'firing', alert, Date.now());
    tell('CheckoutErrors fires: new-checkout is held off in production, and its release plan halts. See Now.');
    // Long enough to log in and look around while the flag is held.
    await pause(120);

    await reportOrders(senders.checkout, Date.now(), 0.02);
    await sendAlert(senders, 'resolved', alert, Date.now());
    tell('CheckoutErrors is resolved: new-checkout is on again, and its plan goes on. See Incidents.');
    await pause(60);
  }
}
