import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the licences of the packages that the given files belong to, as one text. */
export function licensesOf(files: readonly string[]): string {
  const folders = new Set(files.filter((file) => /[\\/]node_modules[\\/]/.test(file)).map(packageFolder));
  const texts = new Map([...folders].map((folder) => licenseOf(folder)));
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([title, text]) => `${title}\n${'='.repeat(title.length)}\n\n${text.trim()}\n`).join('\n\n');
}

/** Returns the folder of the package that a file below node_modules belongs to. */
function packageFolder(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) || manifestOf(folder).name === undefined) folder = dirname(folder);
  return folder;
}

function licenseOf(folder: string): readonly [title: string, text: string] {
  const { name, version, license } = manifestOf(folder);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([.-]|$)/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${folder} names no licence`);
  const text = file === undefined ? `Licensed under ${license}.` : readFileSync(join(folder, file), 'utf8');
  return [`${name} ${version}`, text];
}

function manifestOf(folder: string): { name?: string; version?: string; license?: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
