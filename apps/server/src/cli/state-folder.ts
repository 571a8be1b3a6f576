import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { State } from '@yardarm/contract';
import { stringify } from 'yaml';
import { CommandError } from './command-error.ts';
import { readText, writeText } from './files.ts';
import { readStateFile, type StateFile } from './state-file.ts';

/** A folder whose files together are one state. */
export interface StateFolder {
  readonly state: State;
  /** Returns file, line and column of a path of the state. */
  placeOf(path: string): string;
}

/**
 * Reads all YAML files of a folder and its subfolders. Throws a CommandError that lists the errors in the files, and
 * the keys that two files define.
 */
export function readStateFolder(folder: string): StateFolder {
  const names = yamlFilesIn(folder);
  if (names.length === 0) throw new CommandError(`${folder} contains no .yaml or .yml file.`);
  const mistakes: string[] = [];
  const files = names.flatMap((name) => {
    try {
      return [readStateFile(join(folder, name), readText(join(folder, name)))];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      mistakes.push(error.message);
      return [];
    }
  });
  const state = { version: 1 as const, ...merge(files, mistakes) };
  if (mistakes.length > 0) throw new CommandError(mistakes.join('\n'));
  return {
    state,
    placeOf: (path) => {
      const places = files.map((file) => file.findDotted(path));
      return places.reduce((best, place) => (place.depth > best.depth ? place : best)).place;
    },
  };
}

/**
 * Writes a state to a folder: a file for each project, and one each for segments, context fields, tag types, release
 * templates and the position of the pull. Returns the names of the files. Throws a CommandError when the folder already
 * has state files, unless `replace` is set, and when it has state files that this function would not write.
 */
export function writeStateFolder(folder: string, state: State, replace: boolean): string[] {
  const { pulled, projects = {}, segments = {}, contextFields = {}, tagTypes = {}, releaseTemplates = {} } = state;
  const files = new Map<string, Omit<State, 'version'>>();
  for (const [id, project] of Object.entries(projects))
    files.set(join('projects', `${id}.yaml`), { projects: { [id]: project } });
  if (Object.keys(segments).length > 0) files.set('segments.yaml', { segments });
  if (Object.keys(contextFields).length > 0) files.set('context-fields.yaml', { contextFields });
  if (Object.keys(tagTypes).length > 0) files.set('tag-types.yaml', { tagTypes });
  if (Object.keys(releaseTemplates).length > 0) files.set('release-templates.yaml', { releaseTemplates });
  if (pulled !== undefined) files.set('pulled.yaml', { pulled });
  const present = yamlFilesIn(folder);
  const foreign = present.filter((name) => !files.has(name));
  if (present.length > 0 && !replace) {
    throw new CommandError(`${folder} already contains state files. Use --force to replace them.`);
  }
  if (foreign.length > 0) {
    throw new CommandError(
      `${folder} holds files that pull does not write: ${foreign.join(', ')}. Move or delete them first.`,
    );
  }
  for (const [name, content] of files) {
    const text = stringify({ version: 1, ...content }, { lineWidth: 120, aliasDuplicateObjects: false });
    writeText(join(folder, name), text, { replace });
  }
  return [...files.keys()];
}

/** Returns whether a folder has state files. */
export function hasStateFiles(folder: string): boolean {
  return yamlFilesIn(folder).length > 0;
}

function yamlFilesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /\.ya?ml$/.test(name)).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new CommandError(`${folder} cannot be read: ${(error as Error).message}`);
  }
}

type Content = Readonly<Record<string, unknown>>;
const lists = ['segments', 'contextFields', 'tagTypes', 'releaseTemplates'] as const;

function merge(files: readonly StateFile[], mistakes: string[]): Omit<State, 'version'> {
  const said = new Map<string, string>();
  /** Returns whether this file is the first that defines the path; notes a mistake when another file has defined it. */
  const isFirst = (file: StateFile, path: readonly string[]) => {
    const key = JSON.stringify(path);
    const { place } = file.find(path);
    const before = said.get(key);
    if (before === undefined) said.set(key, place);
    else mistakes.push(`${place} ${path.join('.')} is already defined at ${before}`);
    return before === undefined;
  };
  const state: Record<string, Record<string, unknown>> = {};
  for (const file of files) {
    const pulled = file.content['pulled'];
    if (pulled !== undefined && isFirst(file, ['pulled'])) state['pulled'] = pulled as Record<string, unknown>;
    for (const list of lists) {
      for (const [name, value] of Object.entries((file.content[list] ?? {}) as Content)) {
        if (isFirst(file, [list, name])) state[list] = { ...state[list], [name]: value };
      }
    }
    for (const [id, fields] of Object.entries((file.content['projects'] ?? {}) as Content)) {
      const { flags = {}, ...settings } = fields as { readonly flags?: Content };
      const project: Record<string, unknown> = { ...(state['projects']?.[id] as Content | undefined) };
      for (const [key, value] of Object.entries(settings)) {
        if (isFirst(file, ['projects', id, key])) project[key] = value;
      }
      const all: Record<string, unknown> = { ...(project['flags'] as Content | undefined) };
      for (const [name, flag] of Object.entries(flags)) {
        if (isFirst(file, ['projects', id, 'flags', name])) all[name] = flag;
      }
      state['projects'] = { ...state['projects'], [id]: { ...project, flags: all } };
    }
  }
  return state as Omit<State, 'version'>;
}
