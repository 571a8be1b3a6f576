// `npm run check:changed`: checks what has changed since a commit (HEAD, or the one named) and is not ignored by git.
// The compiler keeps what it knows in node_modules/.cache, and is run for projects that have a changed file. `npm run
// check` checks everything.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './bundle.ts';

const cache = join(root, 'node_modules/.cache');
const projects = { '.': 'tsc', 'apps/admin': 'tsc-admin', 'apps/docs': 'tsc-docs' };

/** Returns the paths that git prints, relative to the root. */
function gitPaths(command: string, ...args: readonly string[]): string[] {
  return execFileSync('git', [command, '-z', ...args], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
}

/** Returns the files that the compiler read for a project when it last ran; undefined when it has not run. */
function filesOf(buildInfo: string): ReadonlySet<string> | undefined {
  const file = join(cache, `${buildInfo}.tsbuildinfo`);
  if (!existsSync(file)) return undefined;
  const { fileNames }: { fileNames: string[] } = JSON.parse(readFileSync(file, 'utf8'));
  return new Set(fileNames.map((name) => resolve(cache, name)));
}

/** Returns the projects to compile: those with a changed file, and all when a changed module is new to the compiler. */
function changedProjects(changed: readonly string[]): string[] {
  const known = Object.entries(projects).map(([project, buildInfo]) => ({ project, files: filesOf(buildInfo) }));
  const isKnown = (path: string) => known.some(({ files }) => files?.has(join(root, path)));
  const affectsAll = (path: string) => /(^|\/)(package|tsconfig.*)\.json$|\.[jt]sx?$/.test(path) && !isKnown(path);
  if (changed.some(affectsAll)) return known.map(({ project }) => project);
  return known
    .filter(({ files }) => files === undefined || changed.some((path) => files.has(join(root, path))))
    .map(({ project }) => project);
}

/** Runs a program of node_modules or a module of the repository, and resolves to whether it found nothing to say. */
function passes(module: string, ...args: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    execFile(process.execPath, [module, ...args], { cwd: root, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error !== null) console.error(`${[module, ...args].join(' ')}\n${stdout}${stderr}`);
      done(error === null);
    });
  });
}

const base = process.argv[2] ?? 'HEAD';
const changed = [
  ...gitPaths('diff', '--name-only', base, '--'),
  ...gitPaths('ls-files', '--others', '--exclude-standard'),
];
const present = changed.filter((path) => existsSync(join(root, path)));
const modules = present.filter((path) => /\.[jt]sx?$/.test(path));
const checks = changedProjects(changed).map((project) => passes('node_modules/typescript/bin/tsc', '-p', project));
if (present.length > 0) {
  const lenient = ['--files-ignore-unknown=true', '--no-errors-on-unmatched'];
  checks.push(
    passes('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...lenient, ...present),
    passes('tests/comments/run.ts', ...present),
  );
}
if (modules.length > 0) {
  // Only what the changed modules reach is read. The whole check finds cycles that other files of their folders close.
  const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';
  checks.push(passes(cruiser, '--config', '.dependency-cruiser.js', ...modules));
}
const failed = (await Promise.all(checks)).filter((passed) => !passed).length;
console.log(
  `${changed.length} files changed since ${base}: ${checks.length - failed} of ${checks.length} checks passed.`,
);
process.exitCode = failed === 0 ? 0 : 1;
