import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { processorTime, stolenShare } from './circumstances.ts';
import type { Options } from './options.ts';
import type { Failure } from './report.ts';
import { type Engine, type Row, toRow } from './row.ts';
import type { Scenario, ScenarioContext } from './scenario.ts';

/** In the repository, and not in a temporary directory: that is often in memory, but a product's data is on a disk. */
const workRoot = join(import.meta.dirname, '.work');
const smokeMs = 400;
const smokeCount = 10;

/** A smoke run measures nothing, so its scenarios may disturb each other. */
const atOnce = (smoke: boolean) => (smoke ? 2 : 1);

/** The outcome of one scenario on one engine. */
type Outcome = { readonly rows: readonly Row[] } | { readonly failure: Failure };

/**
 * Runs the chosen scenarios on the chosen engines, one at a time, in a smoke run two. The other scenarios run also when
 * one fails.
 */
export async function runScenarios(
  options: Options,
  say: (text: string) => void,
): Promise<{ rows: Row[]; failures: Failure[] }> {
  const tasks = options.scenarios.flatMap((scenario) =>
    enginesOf(scenario, options).map((engine) => () => outcomeOf(scenario, engine, options, say)),
  );
  const outcomes: Outcome[] = [];
  const waiting = tasks.entries();
  const work = async () => {
    for (const [index, task] of waiting) outcomes[index] = await task();
  };
  await Promise.all(Array.from({ length: atOnce(options.smoke) }, work));
  return {
    rows: outcomes.flatMap((outcome) => ('rows' in outcome ? outcome.rows : [])),
    failures: outcomes.flatMap((outcome) => ('failure' in outcome ? [outcome.failure] : [])),
  };
}

async function outcomeOf(
  scenario: Scenario,
  engine: Engine | undefined,
  options: Options,
  say: (text: string) => void,
): Promise<Outcome> {
  const name = `${scenario.name}${engine === undefined ? '' : ` on ${engine}`}`;
  say(`${name}: ${scenario.title}`);
  try {
    return { rows: await runOne(scenario, engine, options, say) };
  } catch (error) {
    const message = describeError(error);
    say(`  ${name} failed: ${message}`);
    return { failure: { scenario: scenario.name, engine: engine ?? '-', message } };
  }
}

function enginesOf(scenario: Scenario, options: Options): readonly (Engine | undefined)[] {
  if (scenario.engines.length === 0) return [undefined];
  return options.engines.filter((engine) => scenario.engines.includes(engine));
}

async function runOne(
  scenario: Scenario,
  engine: Engine | undefined,
  options: Options,
  say: (text: string) => void,
): Promise<Row[]> {
  const { smoke, databaseUrl, rounds } = options;
  await mkdir(workRoot, { recursive: true });
  const workDir = await mkdtemp(join(workRoot, `${scenario.name}-`));
  const remove = () => rmSync(workDir, { recursive: true, force: true, maxRetries: 3 });
  // Removes the directory of a run that is interrupted.
  process.once('exit', remove);
  const context: ScenarioContext = {
    engine,
    databaseUrl: engine === 'postgres' ? databaseUrl : undefined,
    smoke,
    rounds: smoke ? 1 : rounds,
    workDir,
    ms: (full) => (smoke ? Math.min(full, smokeMs) : full),
    count: (full) => (smoke ? Math.min(full, smokeCount) : full),
    say: (text) => say(`  ${text}`),
  };
  try {
    const before = await processorTime();
    const findings = await scenario.run(context);
    if (findings.length === 0) throw new Error('It found nothing');
    const stolen = stolenShare(before, await processorTime());
    return findings.map((finding) => ({ ...toRow(finding, engine), ...(stolen === undefined ? {} : { stolen }) }));
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/**
 * Returns the messages of an error, its causes and suppressed errors: a failure to stop must not hide the first
 * failure.
 */
function describeError(error: unknown): string {
  if (error instanceof SuppressedError) return `${describeError(error.suppressed)}; then ${describeError(error.error)}`;
  return error instanceof Error ? error.message : String(error);
}
