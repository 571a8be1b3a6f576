import { describe, it } from 'vitest';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { projectAccessScenarios } from './project-access.scenarios.ts';

describe('project access routes', () => {
  const server = useServer();
  for (const scenario of projectAccessScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
