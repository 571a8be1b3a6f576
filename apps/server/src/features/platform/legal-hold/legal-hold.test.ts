import { describe, expect, it } from 'vitest';
import { givenIntegration } from '#testing/integrations.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { legalHoldScenarios } from './legal-hold.scenarios.ts';

describe('legal hold routes', () => {
  const server = useServer();
  testScenarios(server, legalHoldScenarios);

  it('keeps the log of an integration: it cannot be deleted while the hold is in force', async () => {
    const { id } = await givenIntegration(server());
    const remove = () => server().admin.call('DELETE /api/admin/addons/:id', { params: { id } });
    const setHold = (enabled: boolean) =>
      server().admin.call('POST /api/admin/legal-hold', { body: { enabled, reason: 'Case 4711' } });
    await setHold(true);
    const refused = await remove();
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain('Disable it instead');
    await setHold(false);
    expect((await remove()).status).toBe(200);
  });
});
