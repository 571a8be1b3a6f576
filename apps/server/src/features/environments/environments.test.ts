import { describe, expect, it } from 'vitest';
import { freshName } from '../../../testing/flags.ts';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { environmentScenarios } from './scenarios.ts';

describe('environment routes', () => {
  const server = useServer();
  for (const scenario of environmentScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});

describe('environments', () => {
  const server = useServer({ environmentLimit: 3 });

  it('are created up to the limit', async () => {
    const create = (name: string) =>
      server().admin.call('POST /api/admin/environments', { body: { name, type: 'test' } });
    expect((await create(freshName('third'))).status).toBe(201);
    const refused = await create(freshName('fourth'));
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ name: 'ExceedsLimitError', message: expect.stringContaining('3') });
  });

  it('differ by case', async () => {
    const reply = await server().admin.call('POST /api/admin/environments/validate', { body: { name: 'Production' } });
    expect(reply.status).toBe(200);
  });
});
