#!/usr/bin/env -S node --max-semi-space-size=4
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, so that an old Node says what is missing instead of failing on the first type annotation.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `Yardarm needs Node 24.7 or newer; this is ${process.versions.node}. Install a newer Node from https://nodejs.org.`,
  );
  process.exit(1);
}
// Compiled code, types already stripped, is kept from one start to the next: less time and memory for each. It stays
// beside the packages, where only who may change the program may change it; where that cannot be written, nothing is
// kept. The built package has this file as deep as the source: node_modules/yardarm/lib/yardarm.js.
module.enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));
const kept = module.getCompileCacheDir();
// Threads learn it from the environment.
if (kept !== undefined) process.env.NODE_COMPILE_CACHE = kept;
const { main } = await import('../src/main.ts');
await main(process.argv);
