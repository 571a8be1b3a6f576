// Compiles the server into apps/server/dist: JavaScript modules with source maps, and the licences of what is in them.
import { rmSync, writeFileSync } from 'node:fs';
import { bundleForNode, root } from './bundle.ts';
import { licensesOf } from './licenses.ts';

const directory = `${root}apps/server/dist`;
rmSync(directory, { recursive: true, force: true });
const files = await bundleForNode(`${directory}/lib`);
writeFileSync(`${directory}/third-party-licenses.txt`, licensesOf(files));
