import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { LatencyHistogram, type LatencySummary } from './load/histogram.ts';

const blockBytes = 4096;
/** About the number of blocks after which SQLite overwrites its write-ahead log from the start. */
const logBlocks = 1000;

/**
 * Times writing 4 kB and fdatasync, one after the other: `append` grows the file each time, as a new log does;
 * `overwrite` cycles through a file of full length, as SQLite's write-ahead log does after its first checkpoint. Stops
 * at the limit of writes or of milliseconds, whichever comes first.
 */
export function syncLatency(
  file: string,
  how: 'append' | 'overwrite',
  most: { readonly writes: number; readonly ms: number },
): LatencySummary {
  const block = Buffer.alloc(blockBytes, 'y');
  const latency = new LatencyHistogram();
  const fd = openSync(file, 'w');
  try {
    if (how === 'overwrite') writeSync(fd, Buffer.alloc(blockBytes * logBlocks, 'n'));
    fsyncSync(fd);
    const deadline = performance.now() + most.ms;
    for (let write = 0; write < most.writes && performance.now() < deadline; write += 1) {
      const position = how === 'overwrite' ? (write % logBlocks) * blockBytes : write * blockBytes;
      const before = performance.now();
      writeSync(fd, block, 0, blockBytes, position);
      fdatasyncSync(fd);
      latency.record(performance.now() - before);
    }
  } finally {
    closeSync(fd);
  }
  return latency.summary();
}
