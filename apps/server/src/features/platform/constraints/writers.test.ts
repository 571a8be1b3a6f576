import { describe, expect, it } from 'vitest';
import { useServer } from '#testing/server.ts';
import { segmentWriters, strategyWriters } from '#testing/value-writers.ts';

const server = useServer({ releaseTemplateLimit: 1000 });

/** Constraints that SDKs read differently, with the place and the reason in the refusal. */
const refusedConstraints = [
  [
    'a date of another field',
    { contextName: 'country', operator: 'DATE_AFTER', value: date() },
    'contextName',
    'currentTime',
  ],
  ['a list for the time', { contextName: 'currentTime', operator: 'IN', values: ['x'] }, 'operator', 'DATE_AFTER'],
  ['a number for the time', { contextName: 'currentTime', operator: 'NUM_GT', value: '5' }, 'operator', 'DATE_AFTER'],
  [
    'a text for the time',
    { contextName: 'currentTime', operator: 'STR_CONTAINS', values: ['x'] },
    'operator',
    'DATE_AFTER',
  ],
  [
    'a date without a zone',
    { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-03-31T12:00:00' },
    'value',
    'with a zone',
  ],
  ['a number with a space', { contextName: 'country', operator: 'NUM_GT', value: ' 5' }, 'value', 'decimal number'],
] as const;

const acceptedConstraints = [
  { contextName: 'currentTime', operator: 'DATE_BEFORE', value: date() },
  { contextName: 'country', operator: 'IN', values: ['NO'] },
];

function date() {
  return '2026-03-31T12:00:00.000Z';
}

describe.each(Object.entries(strategyWriters))('%s', (_, write) => {
  it.each(refusedConstraints)('refuses %s', async (_what, constraint, field, reason) => {
    const reply = await write(server(), { name: 'default', parameters: {}, constraints: [constraint] });
    expect(reply.status, reply.text).toBe(400);
    expect(reply.text).toContain(`constraints.0.${field} `);
    expect(reply.text).toContain(reason);
  });

  it('accepts operators that fit their fields', async () => {
    const reply = await write(server(), { name: 'default', parameters: {}, constraints: acceptedConstraints });
    expect(reply.status, reply.text).toBe(200);
  });
});

/** The percentages of the built-in strategies. */
const percentages = {
  flexibleRollout: 'rollout',
  gradualRolloutUserId: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutRandom: 'percentage',
} as const;

describe.each(Object.entries(strategyWriters))('%s', (_, write) => {
  it('takes only numbers for payloads of that type', async () => {
    const variant = { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' };
    const withPayload = (value: string) => ({
      name: 'default',
      parameters: {},
      variants: [{ ...variant, payload: { type: 'number', value } }],
    });
    const refused = await write(server(), withPayload('0x10'));
    expect(refused.status, refused.text).toBe(400);
    expect(refused.text).toContain('variants.0.payload.value must be a decimal number');
    const accepted = await write(server(), withPayload('-1.5'));
    expect(accepted.status, accepted.text).toBe(200);
  });

  it.each(Object.entries(percentages))('takes whole percentages only for %s', async (name, parameter) => {
    const refused = await write(server(), { name, parameters: { [parameter]: '33.3', groupId: 'g' } });
    expect(refused.status, refused.text).toBe(400);
    expect(refused.text).toContain(`parameters.${parameter} must be a whole number from 0 to 100`);
    const accepted = await write(server(), { name, parameters: { [parameter]: '33', groupId: 'g' } });
    expect(accepted.status, accepted.text).toBe(200);
  });
});

it.each(['33.3', '0.5', '100.0', '007', '+5', '5.', '.5', '-1', '101', ' 5', '1e1', '', '00'])(
  'the percentage "%s" is refused',
  async (percentage) => {
    const body = { name: 'gradualRolloutUserId', parameters: { percentage, groupId: 'g' } };
    const reply = await strategyWriters['adding a strategy']?.(server(), body);
    expect(reply?.json).toMatchObject({ details: [{ path: 'parameters.percentage' }] });
  },
);

it.each(['0', '9', '10', '99', '100', 42])('the percentage %j is accepted', async (percentage) => {
  const body = { name: 'gradualRolloutUserId', parameters: { percentage, groupId: 'g' } };
  const reply = await strategyWriters['adding a strategy']?.(server(), body);
  expect(reply?.json).toMatchObject({ parameters: { percentage: String(percentage) } });
});

describe.each(Object.entries(segmentWriters))('%s', (_, write) => {
  it.each(refusedConstraints)('refuses %s', async (_what, constraint, field, reason) => {
    const reply = await write(server(), [constraint]);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.text).toContain(`constraints.0.${field} `);
    expect(reply.text).toContain(reason);
  });

  it('accepts operators that fit their fields', async () => {
    const reply = await write(server(), acceptedConstraints);
    expect(reply.status, reply.text).toBeLessThan(300);
  });
});
