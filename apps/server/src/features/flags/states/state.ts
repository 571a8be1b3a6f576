import { Problem } from '../../../kernel/errors.ts';

/** What is said of an environment that the project of a flag does not have. */
export function notInEnvironment(featureName: string, environment: string): Problem {
  return new Problem('NotFoundError', `The flag ${featureName} is not in an environment ${environment}.`);
}
