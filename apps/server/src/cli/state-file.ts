import { stateSchema } from '@yardarm/contract';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { CommandError } from './command-error.ts';

/** A parsed state file with the position of each key. */
export interface StateFile {
  readonly file: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Returns `file:line:column` of the last key of the path that exists, and the number of existing keys. */
  find(path: readonly string[]): { readonly place: string; readonly depth: number };
  /** Like {@link find}, for a path of keys joined by dots. Keys may contain dots. */
  findDotted(path: string): { readonly place: string; readonly depth: number };
}

/** Parses the text of a state file. Throws a CommandError that lists each error with file, line and column. */
export function readStateFile(file: string, text: string): StateFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    throw new CommandError(document.errors.map(({ pos, message }) => `${at(pos[0])} ${message}`).join('\n'));
  }
  const wrongKeys = mistakesOfKeys(document).map(({ offset, message }) => `${at(offset)} ${message}`);
  if (wrongKeys.length > 0) throw new CommandError(wrongKeys.join('\n'));
  const content = contentOf(document, file);
  const find = (path: readonly string[]) => {
    const { offset, depth } = walk(document, path);
    return { place: at(offset), depth };
  };
  const parsed = stateSchema.safeParse(content);
  if (!parsed.success) {
    const mistakes = parsed.error.issues.flatMap((issue) => {
      const path = issue.path.map(String);
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
      if (unknown.length === 0) return [`${find(path).place} ${path.join('.')} ${issue.message}`];
      return unknown.map((key) => `${find([...path, key]).place} ${[...path, key].join('.')} is not a known key`);
    });
    throw new CommandError(mistakes.join('\n'));
  }
  return {
    file,
    content: content as Readonly<Record<string, unknown>>,
    find,
    findDotted: (path) => find(keysOf(content, path.split('.'))),
  };
}

/**
 * Returns what is wrong with the keys of maps: names that YAML reads as another name than the file has (`1.10` is 1.1,
 * and `null` the empty name), and names that come twice, also as `1` and `"1"`. The check of the parser compares each
 * key with all others, which takes half a second for 10,000 flags.
 */
function mistakesOfKeys(document: Document): { readonly offset: number; readonly message: string }[] {
  const mistakes: { offset: number; message: string }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        const scalar = isScalar(key) ? key : undefined;
        const source = scalar?.source ?? String(key);
        const name = String(scalar?.value);
        const isText = typeof scalar?.value === 'string' || (scalar?.value != null && name === source);
        const message = isText
          ? `the key ${source} comes twice`
          : `the key ${source} is not text in YAML: put it in quotes`;
        if (!isText || names.has(name)) mistakes.push({ offset: startOf(key) ?? 0, message });
        else names.add(name);
      }
    },
  });
  return mistakes;
}

function contentOf(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 1000 });
  } catch (error) {
    // An alias without an anchor, or more aliases than the limit.
    throw new CommandError(`${file} ${(error as Error).message}`, { cause: error });
  }
}

/** Splits a dotted path into existing keys. Keys may contain dots: of several keys that match, the longest is used. */
function keysOf(value: unknown, parts: readonly string[]): string[] {
  if (parts.length === 0 || typeof value !== 'object' || value === null) return [];
  for (let length = parts.length; length > 0; length--) {
    const key = parts.slice(0, length).join('.');
    if (!Object.hasOwn(value, key)) continue;
    return [key, ...keysOf((value as Readonly<Record<string, unknown>>)[key], parts.slice(length))];
  }
  return [];
}

function walk(document: Document, path: readonly string[]): { offset: number; depth: number } {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  let depth = 0;
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      next = pair.value;
    } else if (isSeq(node)) {
      next = node.items[Number(key)];
      if (next === undefined) break;
      offset = startOf(next) ?? offset;
    } else break;
    node = next;
    depth++;
  }
  return { offset, depth };
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
