import type { Installation } from '../installation.ts';
import { textOf, withNumbers } from './numbers.ts';

export interface ApplicationSeed {
  readonly applications: number;
  readonly instancesEach: number;
  /** Each application evaluates the first ten flags of these projects (`<project>-0` and on) in `development`. */
  readonly projects: readonly string[];
  /** A flag whose evaluations have been counted for each application in each of the last 48 hours. */
  readonly countedFlag: string;
  /** Flags that do not exist and that the first application evaluates. */
  readonly unknownFlags: number;
}

const hourMs = 60 * 60 * 1000;
const countedHours = 48;

/** Adds applications `app-0` and on with recently seen instances. The server of the installation must be stopped. */
export async function seedApplications(installation: Installation, seed: ApplicationSeed): Promise<void> {
  const now = Date.now();
  const hour = now - (now % hourMs);
  const { applications, instancesEach, projects, countedFlag, unknownFlags } = seed;
  const at = (size: number) => `(i - 1) / ${size}`;
  await installation.execute([
    `insert into client_applications (app_name, first_seen_at, last_seen_at, strategies, announced)
      ${withNumbers(applications)} select ${textOf('app-{i}', 'i - 1')}, ${now}, ${now}, '["default","flexibleRollout"]', 1 from n`,
    `insert into application_instances
      (app_name, instance_id, environment, scope, sdk_version, started_at, last_seen_at, sdk_type, address)
      ${withNumbers(applications * instancesEach)} select ${textOf('app-{i}', at(instancesEach))},
        ${textOf('instance-{i}', `(i - 1) % ${instancesEach}`)}, 'development', '*',
        ${textOf('unleash-client-node:{i}.0.0', '3 + i % 4')}, ${now}, ${now} - i, 'backend', '10.0.0.1' from n`,
    ...projects.map(
      (project) => `insert into application_flags (app_name, environment, feature_name, last_seen_at)
        ${withNumbers(applications * 10)} select ${textOf('app-{i}', at(10))}, 'development',
          ${textOf(`${project}-{i}`, '(i - 1) % 10')}, ${now} from n`,
    ),
    `insert into client_metrics (feature_name, app_name, environment, hour, yes, no)
      ${withNumbers(applications * countedHours)} select '${countedFlag}', ${textOf('app-{i}', at(countedHours))},
        'development', ${hour} - ((i - 1) % ${countedHours}) * ${hourMs}, 10, 5 from n`,
    `insert into application_unknown_flags (feature_name, app_name, environment, scope, last_seen_at)
      ${withNumbers(unknownFlags)} select ${textOf('unknown-{i}')}, 'app-0', 'development', '*', ${now} from n`,
  ]);
  await installation.vacuum();
}
