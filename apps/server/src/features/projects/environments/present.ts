import type { DefaultStrategyAnswer } from '@yardarm/contract';
import type { Environment, EnvironmentUse } from './environment.ts';

export function presentEnvironment(environment: Environment, use: EnvironmentUse) {
  return {
    ...present(environment),
    projectCount: use.projects,
    apiTokenCount: use.tokens,
    enabledToggleCount: use.enabledFlags,
  };
}

export function presentEnvironmentOfProject(
  environment: Environment,
  use: EnvironmentUse,
  defaultStrategy?: DefaultStrategyAnswer,
) {
  return {
    ...present(environment),
    projectApiTokenCount: use.tokens,
    projectEnabledToggleCount: use.enabledFlags,
    visible: true as const,
    ...(defaultStrategy === undefined ? {} : { defaultStrategy }),
  };
}

function present({ name, type, enabled, protected: isProtected, sortOrder, requiredApprovals }: Environment) {
  return { name, type, enabled, protected: isProtected, sortOrder, requiredApprovals };
}
