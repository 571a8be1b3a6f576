import type { Caller } from './caller.ts';

/** The application that reports orders. The label of its reports is the flag that serves the new checkout. */
export const application = 'shop-checkout';
const flag = 'new-checkout';

const path = `/api/admin/projects/checkout/features/${flag}`;

/** Reports the orders of a minute with and without the new checkout, as an SDK does. `failedShare` is from 0 to 1. */
export async function reportOrders(checkout: Caller, at: number, failedShare: number): Promise<void> {
  const minute = Math.floor(at / 60_000);
  const orders = [
    { state: 'enabled', count: 46 + (minute % 7) * 2 },
    { state: 'disabled', count: 38 + (minute % 5) * 2 },
  ];
  const counter = (name: string, help: string, read: (count: number, state: string) => number) => ({
    name,
    help,
    type: 'counter',
    samples: orders.map(({ state, count }) => ({ labels: { [flag]: state }, value: read(count, state) })),
  });
  await checkout.call('POST /api/client/metrics', {
    appName: application,
    instanceId: `${application}-1`,
    bucket: null,
    impactMetrics: [
      counter('orders_total', 'Orders', (count) => count),
      counter('failed_orders_total', 'Orders that failed', (count, state) =>
        Math.round(count * (state === 'enabled' ? failedShare : 0.01)),
      ),
    ],
  });
}

/** Adds a chart of the orders, and a safeguard that pauses the release plan when a fifth of them fails. */
export async function watchOrders(owner: Caller): Promise<void> {
  const read = { timeRange: 'hour', aggregationMode: 'count' };
  const labelSelectors = { environment: ['production'] };
  const chart = { ...read, metricName: 'unleash_counter_orders_total', labelSelectors, yAxisMin: 'zero' };
  await owner.call(`POST ${path}/impact-metrics/config`, {
    ...chart,
    title: 'Orders a minute',
    groupBy: 'new_checkout',
  });
  const production = `${path}/environments/production`;
  const [plan] = (await owner.call(`GET ${production}/release-plans`)) as unknown as readonly { readonly id: string }[];
  await owner.call(`PUT ${production}/release-plans/${plan?.id}/safeguards`, {
    impactMetric: {
      ...read,
      metricName: 'unleash_counter_failed_orders_total',
      labelSelectors,
      minutes: 5,
      dividedBy: { metricName: 'unleash_counter_orders_total', labelSelectors },
    },
    triggerCondition: { operator: '>', threshold: 0.2 },
  });
}
