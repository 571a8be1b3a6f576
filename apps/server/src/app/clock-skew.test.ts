import { expect, it } from 'vitest';
import { engine, useServer } from '#testing/server.ts';

const server = useServer();
const skew = async () => {
  const { text } = await server().anonymous.request('GET', '/metrics');
  return /^clock_skew_seconds (\S+)$/m.exec(text)?.[1];
};

it.runIf(engine === 'postgres')('a clock that differs from that of the database is a metric', async () => {
  await expect.poll(async () => Number(await skew())).not.toBeNaN();
  // The clock of a test server differs from that of its PostgreSQL by what the test has set.
  expect(Math.abs(Number(await skew()) * 1000 - (server().clock.now() - Date.now()))).toBeLessThan(5000);
});

it.runIf(engine === 'sqlite')('one process has no other clock to compare with', async () => {
  expect(await skew()).toBe('Nan');
});
