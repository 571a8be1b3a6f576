import { describe, it } from 'vitest';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { inviteLinkScenarios } from './invite-links.scenarios.ts';

describe('invite link routes', () => {
  const server = useServer();
  for (const scenario of inviteLinkScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
