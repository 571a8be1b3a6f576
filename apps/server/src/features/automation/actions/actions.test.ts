import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { actionScenarios } from './actions.scenarios.ts';
import { callScenarios } from './calls.scenarios.ts';

describe('actions', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  it.each([...actionScenarios, ...callScenarios])('$route $name', (scenario) => runScenario(server(), scenario));
});
