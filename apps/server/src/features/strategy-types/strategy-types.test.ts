import { describe, expect, it } from 'vitest';
import { givenDefinition } from '../../../testing/flags.ts';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { strategyTypeScenarios } from './strategy-types.scenarios.ts';

describe('strategy type routes', () => {
  const server = useServer();
  for (const scenario of strategyTypeScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});

describe('custom strategies that settings forbid', () => {
  const noCreation = useServer({ disableCustomStrategyCreation: true });
  const noEditing = useServer({ disableCustomStrategyEditing: true });

  it('cannot be created', async () => {
    const body = { name: 'unwanted', parameters: [] };
    const reply = await noCreation().admin.call('POST /api/admin/strategies', { body });
    expect([reply.status, reply.json.name]).toEqual([403, 'OperationDeniedError']);
  });

  it('can be created, but not changed or deleted', async () => {
    const params = await givenDefinition(noEditing());
    for (const route of ['PUT /api/admin/strategies/:name', 'DELETE /api/admin/strategies/:name'] as const) {
      const reply = await noEditing().admin.call(
        route,
        route.startsWith('PUT') ? { params, body: { parameters: [] } } : { params },
      );
      expect([reply.status, reply.json.name]).toEqual([403, 'OperationDeniedError']);
    }
  });
});
