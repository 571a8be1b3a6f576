// Packs dist/yardarm-<version>.tgz and the packages of the contract and the evaluation, from what `npm run build` left.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { root } from './bundle.ts';

interface Manifest {
  readonly version: string;
  readonly description?: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
}

const read = (file: string) => readFileSync(root + file, 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(`${folder}package.json`)) as Manifest;
const product = manifestOf('');
const common = { version: product.version, license: 'Apache-2.0', type: 'module' };
const staging = `${root}dist/staging`;

rmSync(staging, { recursive: true, force: true });
packServer();
packLibrary('evaluation');
packLibrary('contract');
rmSync(staging, { recursive: true });

function packServer(): void {
  const { peerDependencies, peerDependenciesMeta } = manifestOf('apps/server/');
  pack('yardarm', {
    folders: { lib: 'apps/server/dist/lib', interface: 'apps/admin/dist', documentation: 'apps/docs/dist' },
    files: { 'README.md': read('build/README.package.md'), 'third-party-licenses.txt': thirdPartyLicenses() },
    manifest: {
      name: 'yardarm',
      ...common,
      description: product.description,
      bin: { yardarm: 'lib/yardarm.js' },
      engines: { node: '>=24.7' },
      peerDependencies,
      peerDependenciesMeta,
    },
  });
}

function thirdPartyLicenses(): string {
  return `${read('apps/server/dist/third-party-licenses.txt')}\n\n${read('apps/admin/dist/third-party-licenses.md')}`;
}

/**
 * Packs a package of the workspace. In the workspace its exports name the source; here they are changed to name the
 * compiled modules.
 */
function packLibrary(name: string): void {
  const folder = `packages/${name}/`;
  const { description, exports = {}, dependencies } = manifestOf(folder);
  const compiled = (source: string, extension: string) =>
    source.replace('./src/', './dist/').replace(/\.ts$/, extension);
  const entries = Object.entries(exports).map(([path, source]) => [
    path,
    { types: compiled(source, '.d.ts'), default: compiled(source, '.js') },
  ]);
  pack(`yardarm-${name}`, {
    folders: { dist: `${folder}dist` },
    files: { 'README.md': read(`${folder}README.md`) },
    manifest: {
      name: `@yardarm/${name}`,
      ...common,
      description,
      exports: Object.fromEntries(entries),
      engines: { node: '>=20' },
      sideEffects: false,
      dependencies,
    },
  });
}

interface Content {
  readonly folders: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly manifest: object;
}

function pack(name: string, { folders, files, manifest }: Content): void {
  const directory = `${staging}/${name}`;
  mkdirSync(directory, { recursive: true });
  for (const [to, from] of Object.entries(folders)) cpSync(root + from, `${directory}/${to}`, { recursive: true });
  for (const file of ['LICENSE', 'NOTICE']) cpSync(root + file, `${directory}/${file}`);
  for (const [file, text] of Object.entries(files)) writeFileSync(`${directory}/${file}`, text);
  writeFileSync(`${directory}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', `${root}dist`], { cwd: directory, stdio: 'inherit' });
}
