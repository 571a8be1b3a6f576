import { describe, expect, it } from 'vitest';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { bodyOf, valuesOf } from './use-endpoint-form.ts';

const paths = { state: 'a.state', title: 'a.title', severity: 'a.severity', fingerprint: 'a.id', startedAt: 'a.at' };
const elements = { ...paths, link: 'a.link', path: 'alerts' };

/** The body of an endpoint without a field that has its default value. */
const body: ReturnType<typeof bodyOf> = {
  enabled: false,
  name: 'payments',
  description: 'The alerts of payments',
  source: 'generic',
  ratePerSecond: 7,
  burst: 11,
  maxBodyBytes: 4096,
  maxElements: 13,
  oneSender: true,
  whenDisabled: 'keep',
  fields: { ...paths, link: 'b.link', deliveryId: 'b.delivery', elements },
  dropped: ['card.number'],
  hashed: ['user.email', 'user.name'],
  retentionDays: 17,
  expectedMinutes: 19,
  expectedFilters: { status: { operator: 'NOT_IN', values: ['test'], inverted: true } },
  enabledUntil: '2030-01-02T03:04:05.000Z',
};

describe('the form of a signal endpoint', () => {
  it('sends each field as the server has it when nothing is edited', () => {
    const endpoint = { ...body, id: 1 } as unknown as SignalEndpoint;
    expect(bodyOf(valuesOf(endpoint))).toEqual(body);
  });

  it('sends each field of a new endpoint as it was entered', () => {
    const entered = valuesOf({ ...body, id: 1 } as unknown as SignalEndpoint);
    const created = { ...valuesOf(undefined), ...entered };
    expect(bodyOf(created)).toEqual(body);
    expect(Object.keys(bodyOf(valuesOf(undefined))).toSorted()).toEqual(Object.keys(body).toSorted());
  });
});
