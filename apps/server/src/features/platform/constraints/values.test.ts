import { expect, it } from 'vitest';
import { useServer } from '#testing/server.ts';

const server = useServer();
const validate = 'POST /api/admin/constraints/validate';

const versions = ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'];
const numbers = ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'];
const dates = ['DATE_AFTER', 'DATE_BEFORE'];
const cases = [
  ...versions.map(
    (operator) => [operator, '1.2.3-beta.1', ['1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', 'latest']] as const,
  ),
  ...numbers.map((operator) => [operator, '-1.5e3', ['one', '1,5', '0x10', 'NaN', 'Infinity', '1e999']] as const),
  ...dates.map(
    (operator) => [operator, '2026-03-31T12:00:00Z', ['31.03.2026', '2026-02-30', 'now', '1700000000']] as const,
  ),
];

it.each(cases)('%s accepts %s and rejects invalid values', async (operator, good, bad) => {
  const statusOf = async (value: string) =>
    (
      await server().admin.call(validate, {
        body: { contextName: operator.startsWith('DATE_') ? 'currentTime' : 'x', operator, value },
      })
    ).status;
  expect(await statusOf(good)).toBe(204);
  for (const value of bad) expect([value, await statusOf(value)]).toEqual([value, 400]);
});
