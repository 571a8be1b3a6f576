import { compareThroughput } from '../compare.ts';
import { createInstallation } from '../installation.ts';
import type { Scenario } from '../scenario.ts';
import { alertOf, createSender, createSigningSender } from './signal-sender.ts';

const connections = 64;

/** Compares signals with a signature, and signals with an idempotency key, with the same signals without. */
export const signalCosts: Scenario = {
  name: 'signal-costs',
  title: 'signed signals and idempotency keys, against the same signals without',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await using server = await installation.start({ SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '0' });
    const { withToken, signed } = await createSigningSender(server, installation.adminToken);
    const send = await createSender(server, installation.adminToken);
    const payload = alertOf(1024);
    return [
      await compareThroughput(
        context,
        {
          name: 'signals of 1 kB, signed (HMAC)',
          unit: 'signals/s',
          connections,
          must: { of: 'ratio', atLeast: 0.85 },
        },
        { name: 'with a bearer token', server, requests: [withToken(payload)] },
        { server, requests: [signed(payload)] },
      ),
      await compareThroughput(
        context,
        {
          name: 'signals of 1 kB, each with an idempotency key',
          unit: 'signals/s',
          connections,
          ...(context.engine === 'postgres' && { must: { of: 'ratio', atLeast: 0.7 } as const }),
        },
        { name: 'without a key', server, requests: [send(payload)] },
        { server, requests: [send(payload, { 'idempotency-key': '{{id}}' })] },
      ),
    ];
  },
};
