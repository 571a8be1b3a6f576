import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { bundleForNode, root } from '../../build/bundle.ts';

// Runs before all tests of a run. Compiles the server for the tests that start it as a process (testing/program.ts):
// from source, a start takes twice the processor time. The folder is new, so no test starts an older server.

let directory: string | undefined;

export async function setup(): Promise<void> {
  // Each project of a configuration runs this.
  if (process.env.COMPILED_SERVER !== undefined) return;
  mkdirSync(`${root}dist`, { recursive: true });
  directory = mkdtempSync(`${root}dist/tests-`);
  // The place of an installed package: the compile cache of the server is then in this folder too, and deleted with it.
  const installed = `${directory}/node_modules/yardarm`;
  await bundleForNode(`${installed}/lib`);
  symlinkSync(`${root}apps/admin/dist`, `${installed}/interface`);
  symlinkSync(`${root}apps/docs/dist`, `${installed}/documentation`);
  process.env.COMPILED_SERVER = `${installed}/lib/yardarm.js`;
}

export function teardown(): void {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}
