import { Problem } from '#kernel/errors.ts';

/** Returns the 404 for an environment that a flag is not in. */
export function notInEnvironment(featureName: string, environment: string): Problem {
  return new Problem('NotFoundError', `The flag ${featureName} is not in an environment ${environment}.`);
}
