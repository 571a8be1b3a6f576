import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { Component, Kustomization } from './kinds.fixture.ts';

/** An object of a YAML file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

export interface Rendered {
  readonly objects: readonly Manifest[];
  /** Paths of the files that were read, kustomizations among them. */
  readonly files: readonly string[];
}

interface Operation {
  readonly op: 'replace';
  readonly path: string;
  readonly value: unknown;
}

/**
 * Renders a folder as `kubectl kustomize` does, for the fields of `kinds.fixture.ts`. Names of generated maps get no
 * hash. A component is rendered onto the given `objects`. Throws when a named file is missing, and when a patch or a
 * merged map has no target.
 */
export function render(folder: string, objects: Manifest[] = []): Rendered {
  const files: string[] = [];
  addFolder(folder, objects, files);
  return { objects, files };
}

function addFolder(folder: string, objects: Manifest[], files: string[]): void {
  const path = join(folder, 'kustomization.yaml');
  files.push(path);
  addKustomization(folder, read(path) as Kustomization | Component, objects, files);
}

/** Adds to `objects` what a kustomization in a folder names and generates, and to `files` the files that it names. */
export function addKustomization(
  folder: string,
  kustomization: Partial<Kustomization | Component>,
  objects: Manifest[],
  files: string[],
): void {
  const path = join(folder, 'kustomization.yaml');
  for (const resource of kustomization.resources ?? []) {
    const named = join(folder, resource);
    if (!existsSync(named)) throw new Error(`${path} names ${resource}, which does not exist`);
    if (statSync(named).isDirectory()) addFolder(named, objects, files);
    else {
      files.push(named);
      objects.push(read(named) as Manifest);
    }
  }
  for (const component of kustomization.components ?? []) addFolder(join(folder, component), objects, files);
  for (const generator of kustomization.configMapGenerator ?? []) generate(path, generator, objects);
  for (const { target, patch } of kustomization.patches ?? []) patchObjects(path, target, parse(patch), objects);
  for (const { name, newName, newTag } of kustomization.images ?? []) {
    for (const container of objects.flatMap(containersOf)) {
      if (container.image === name) container.image = `${newName}:${newTag}`;
    }
  }
}

function read(path: string): unknown {
  if (!existsSync(path)) throw new Error(`${path} does not exist, but ${dirname(path)} is named`);
  return parse(readFileSync(path, 'utf8'));
}

function generate(
  path: string,
  { name, behavior = 'create', literals }: NonNullable<Kustomization['configMapGenerator']>[number],
  objects: Manifest[],
): void {
  const data = Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const present = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
  if ((behavior === 'merge') !== (present !== undefined)) throw new Error(`${path} cannot ${behavior} the map ${name}`);
  if (present !== undefined) Object.assign((present as unknown as { data: object }).data, data);
  else objects.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } as Manifest);
}

function patchObjects(
  path: string,
  target: { readonly kind: string; readonly name: string },
  operations: readonly Operation[],
  objects: readonly Manifest[],
): void {
  const matches = (pattern: string, text: string) => new RegExp(`^(?:${pattern})$`).test(text);
  const targets = objects.filter(
    ({ kind, metadata }) => matches(target.kind, kind) && matches(target.name, metadata.name),
  );
  if (targets.length === 0) throw new Error(`${path} patches ${target.kind} ${target.name}, which does not exist`);
  for (const object of targets) for (const operation of operations) replace(object, operation);
}

function replace(object: Manifest, { op, path, value }: Operation): void {
  const keys = path.slice(1).split('/');
  const last = keys.pop() as string;
  let parent = object as unknown as Record<string, unknown>;
  for (const key of keys) parent = (parent?.[key] ?? {}) as Record<string, unknown>;
  if (op !== 'replace' || !(last in parent)) throw new Error(`${object.kind} has no ${path} to ${op}`);
  parent[last] = value;
}

function containersOf(object: Manifest): { image: string }[] {
  const { spec } = object as { spec?: { template?: { spec: Record<string, { image: string }[]> } } };
  return [...(spec?.template?.spec['initContainers'] ?? []), ...(spec?.template?.spec['containers'] ?? [])];
}
