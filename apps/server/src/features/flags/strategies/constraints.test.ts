import { type Operator, operatorNames } from '@yardarm/evaluation';
import { describe, expect, it } from 'vitest';
import { givenFlagIn } from '#testing/flags.ts';
import { withLongestTurn } from '#testing/longest-turn.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ constraintLimit: 3, constraintValuesLimit: 4, strategyLimit: 2 });
const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies';

/** Returns the reply to adding a strategy with the constraints. */
async function post(...constraints: object[]) {
  const params = await givenFlagIn(server());
  return server().admin.call(route, { params, body: { name: 'default', constraints } });
}

const constraint = (operator: string, more: object) => ({
  contextName: operator.startsWith('DATE_') ? 'currentTime' : 'field',
  operator,
  ...more,
});

/** A valid constraint for each operator. */
const right: Record<Operator, object> = {
  IN: { values: ['a', 'b'] },
  NOT_IN: { values: [] },
  STR_STARTS_WITH: { values: ['Ünï'], caseInsensitive: true },
  STR_ENDS_WITH: { values: ['🚩'] },
  STR_CONTAINS: { values: ['\\"'], inverted: true },
  NUM_EQ: { value: '42' },
  NUM_GT: { value: '-0.5' },
  NUM_GTE: { value: '1e3' },
  NUM_LT: { value: '0.25' },
  NUM_LTE: { value: '9007199254740993' },
  DATE_AFTER: { value: '2026-03-31T12:00:00.000Z' },
  DATE_BEFORE: { value: '2028-02-29T12:00:00+02:00' },
  SEMVER_EQ: { value: '1.2.3' },
  SEMVER_GT: { value: '1.2.3-beta.11' },
  SEMVER_GTE: { value: '0.0.0' },
  SEMVER_LT: { value: '10.20.30+build.7' },
  SEMVER_LTE: { value: '1.0.0-0A.is.legal' },
  REGEX: { value: '^(dev|test)-\\d+$', caseInsensitive: true },
  IN_CIDR: { values: ['192.0.2.0/24', '192.0.2.1', '2001:db8::/32', '::1'] },
};

describe('a constraint', () => {
  it.each(Object.entries(right))('accepts the operator %s', async (operator, more) => {
    const sent = constraint(operator, more);
    const reply = await post(sent);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.constraints).toEqual([{ values: [], inverted: false, caseInsensitive: false, ...sent }]);
  });

  it('rejects an unknown operator', async () => {
    const reply = await post(constraint('IS_LIKE', { values: [] }));
    expect(reply.status).toBe(400);
    expect(reply.json.details).toMatchObject([{ path: 'constraints.0.operator' }]);
  });

  it.each([
    ['NUM_GT', { values: ['5'] }, 'value'],
    ['NUM_GT', { value: ' ' }, 'value'],
    ['NUM_GT', { value: 'five' }, 'value'],
    ['NUM_GT', { value: '0x10' }, 'value'],
    ['NUM_GT', { value: 'Infinity' }, 'value'],
    ['NUM_GT', { value: '1e999' }, 'value'],
    ['NUM_GT', { value: '.5' }, 'value'],
    ['NUM_GT', { value: '5.' }, 'value'],
    ['NUM_GT', { value: ' 5' }, 'value'],
    ['DATE_AFTER', { value: '2026-03-31' }, 'value'],
    ['DATE_AFTER', { value: '2026-03-31T12:00:00' }, 'value'],
    ['DATE_AFTER', { value: '2026-03-31T12:00Z' }, 'value'],
    ['DATE_AFTER', { value: 'tomorrow' }, 'value'],
    ['DATE_AFTER', { value: '31.03.2026' }, 'value'],
    ['DATE_AFTER', { value: '2026-02-31T12:00:00Z' }, 'value'],
    ['DATE_AFTER', { value: '2026-02-01T25:00:00Z' }, 'value'],
    ['SEMVER_EQ', { value: '1.2' }, 'value'],
    ['SEMVER_EQ', { value: 'v1.2.3' }, 'value'],
    ['SEMVER_EQ', { value: '1.2.03' }, 'value'],
    ['SEMVER_EQ', { value: '1.2.3-01' }, 'value'],
    ['REGEX', { value: '(' }, 'value'],
    ['REGEX', { value: 'a(?=b)' }, 'value'],
    ['REGEX', { value: 'a', inverted: true }, 'inverted'],
    ['REGEX', { value: 'a'.repeat(1001) }, 'value'],
    ['REGEX', { value: '(.{0,1000})'.repeat(80) }, 'value'],
    ['IN_CIDR', { values: ['::1', '192.0.2.0/33'] }, 'values.1'],
    ['IN_CIDR', { values: ['localhost'] }, 'values.0'],
    ['IN_CIDR', { values: [] }, 'values'],
    ['STR_CONTAINS', { values: [] }, 'values'],
    ['STR_CONTAINS', { values: ['ends with \\'] }, 'values.0'],
    ['IN', { values: ['a', ' b'] }, 'values.1'],
    ['IN', { values: ['a'], contextName: 'say "a"' }, 'contextName'],
    ['IN', { values: ['a', ''] }, 'values.1'],
    ['IN', { values: ['x'.repeat(101)] }, 'values.0'],
    ['IN', { values: ['a\0'] }, 'values.0'],
    ['IN', { values: 'a' }, 'values'],
    ['IN', { values: [1] }, 'values.0'],
    ['IN', { values: [], contextName: '' }, 'contextName'],
  ])('is refused with the field that is wrong: %s %j', async (operator, more, path) => {
    const reply = await post({ contextName: 'a', operator: 'IN' }, constraint(operator, more));
    expect(reply.status).toBe(400);
    expect(reply.json.name).toBe('BadDataError');
    expect(reply.json.details).toMatchObject([{ path: `constraints.1.${path}` }]);
  });
});

describe('limits of strategies and constraints', () => {
  const exceeded = async (reply: ReturnType<typeof post>, path?: string) => {
    const { status, json } = await reply;
    expect(status).toBe(400);
    expect(json.name).toBe('ExceedsLimitError');
    if (path !== undefined) expect(json.details).toMatchObject([{ path }]);
  };
  const any = constraint('IN', { values: ['a'] });

  it('bound the constraints of a strategy', async () => {
    expect((await post(any, any, any)).status).toBe(200);
    await exceeded(post(any, any, any, any), 'constraints');
  });

  it('bound the values of a constraint', async () => {
    expect((await post(constraint('IN', { values: ['a', 'b', 'c', 'd'] }))).status).toBe(200);
    await exceeded(post(constraint('IN', { values: ['a', 'b', 'c', 'd', 'e'] })), 'constraints.0.values');
  });

  it('bound the strategies of a flag in each environment', async () => {
    const params = await givenFlagIn(server());
    const add = (environment: string) =>
      server().admin.call(route, { params: { ...params, environment }, body: { name: 'default' } });
    await add('development');
    expect((await add('development')).status).toBe(200);
    await exceeded(add('development'));
    expect((await add('production')).status).toBe(200);
  });
});

describe('checking a constraint', () => {
  it.each(operatorNames)('with %s and a very long value finishes quickly', async (operator) => {
    for (const value of [`${'1'.repeat(99_000)}x`, `1.${'0'.repeat(98_000)}x`, `1.0.0-${'a.'.repeat(49_000)}!`]) {
      const { longestTurnMs } = await withLongestTurn(() =>
        server().admin.call('POST /api/admin/constraints/validate', { body: constraint(operator, { value }) }),
      );
      // With quadratic cost this would take half a minute.
      expect(longestTurnMs).toBeLessThan(200);
    }
  });

  it.each([
    ['with repeats', '(.{0,1000})'.repeat(80)],
    ['with repeats in repeats', '((((((((((a)))))))))){0,1000}'],
    ['with wide ranges', `(?i)[${'B-\u{1E942}'.repeat(200)}]`],
  ])('refuses at once a pattern %s that would block the server', async (_, value) => {
    const body = constraint('REGEX', { value });
    const { result, longestTurnMs } = await withLongestTurn(() =>
      server().admin.call('POST /api/admin/constraints/validate', { body }),
    );
    expect(result.status).toBe(400);
    expect(result.json.details).toMatchObject([{ path: 'value', message: expect.stringContaining('at most 3000') }]);
    // Compiling this pattern would take most of a second.
    expect(longestTurnMs).toBeLessThan(200);
  });
});
