import { text } from 'node:stream/consumers';
import type { LoadJob } from './job.ts';
import { runJob } from './run-job.ts';

// The generator in a process of its own: a job as JSON on standard input, its result as JSON on standard output.
// By hand: echo '{"kind":"closed",…}' | node bench/load/worker.ts
const job: LoadJob = JSON.parse(await text(process.stdin));
process.stdout.write(`${JSON.stringify(await runJob(job))}\n`);
