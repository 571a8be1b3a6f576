/**
 * Test files in which the engine of the database cannot matter, with the reason. CI runs them on SQLite only
 * (`npm run test:engine`). A file that writes rows in a way of its own, runs two processes, restarts a server or tests
 * storage is none of them.
 */
export const sameOnBothEngines: Readonly<Record<string, string>> = {
  '**/app/demo.test.ts': 'the demo runs on SQLite only',
  '**/constraints/writers.test.ts': 'what is refused is decided before anything is stored',
  '**/frontend/frontend.test.ts': 'SDKs are answered from memory, in which sdk.test.ts sees what the database holds',
  '**/ofrep/ofrep.test.ts': 'SDKs are answered from memory',
  '**/plan-rehearsals/external.test.ts': 'answers and failures of a Prometheus server',
  '**/playground/playground.test.ts': 'evaluates flags in memory',
  '**/safeguards/external.test.ts': 'answers and failures of a Prometheus server',
  '**/sdk/{evaluation-budget,unleash-client}.test.ts': 'SDKs are answered from memory',
  '**/signal-sources/{senders,signatures}.test.ts': 'what requests of senders look like',
  '**/streaming/streaming.test.ts': 'streams send what is in memory; two processes are tested in tests/processes',
  'tests/walk/{aliases,declared-secrets,examples,leaked-secrets}.test.ts': 'what answers contain',
  'tests/walk/{browser-clock,pipelining,query-parameters,refused-fields,walk}.test.ts':
    'answered before a handler is called',
  'tests/walk/{review,unknown-names}.test.ts': 'the reads and writes are those of the features, which run on both',
};
