import { circumstances } from './circumstances.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { formatFailure, formatTable, writeReport } from './report.ts';
import { runScenarios } from './run-scenarios.ts';
import { scenarios } from './scenarios.ts';

// Signals end the run by process.exit(), because only its `exit` event kills the servers that the run has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

process.exitCode = await main(process.argv.slice(2));

/** Returns the exit code: 1 when a scenario failed or missed its target, 2 for a wrong command line, or else 0. */
async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args, process.env, scenarios);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  if (options.list) {
    for (const { name, title, engines } of options.scenarios) {
      console.log(`${name}  ${title}${engines.length === 0 ? '' : ` (${engines.join(', ')})`}`);
    }
    return 0;
  }
  return measure(options);
}

async function measure(options: Options): Promise<number> {
  const before = await circumstances();
  const { rows, failures } = await runScenarios(options, (text) => console.error(text));
  if (options.smoke) {
    console.log(formatTable(rows.map(({ must: _, ...row }) => ({ ...row, ok: null }))));
    console.log('A smoke run: the figures mean nothing.');
    for (const line of failures.map(formatFailure)) console.log(line);
    return failures.length === 0 ? 0 : 1;
  }
  console.log(formatTable(rows));
  for (const line of failures.map(formatFailure)) console.log(line);
  const { engines, rounds } = options;
  const only = options.scenarios.map((scenario) => scenario.name);
  const path = await writeReport(
    { ...before, options: { engines, rounds, scenarios: only }, rows, failures },
    options.out,
  );
  console.log(`Written to ${path}`);
  return failures.length > 0 || rows.some((row) => row.ok === false) ? 1 : 0;
}
