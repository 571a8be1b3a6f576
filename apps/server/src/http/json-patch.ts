import { isDeepStrictEqual } from 'node:util';
import { badField, type Problem } from '#kernel/errors.ts';

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'copy' | 'move' | 'test';
  readonly path: string;
  readonly from?: string | undefined;
  readonly value?: unknown;
}

/** The highest total length of the copied values of a patch as JSON. Copies of copies would grow exponentially. */
const maxCopied = 1_000_000;

/**
 * Applies a JSON Patch (RFC 6902) to a JSON document and returns the new document; the given one is not changed.
 * Rejects with 400 that names the operation when an operation is not possible or a test fails.
 */
export function applyPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  // A root object holds the document, so that the document itself can be replaced like any other value.
  const root = { '': structuredClone(document) };
  let copied = 0;
  for (const [index, operation] of operations.entries()) {
    const at = new Step(root, index);
    if (operation.op === 'copy') {
      const value = at.get('from', operation.from);
      copied += JSON.stringify(value).length;
      if (copied > maxCopied)
        throw at.problem('from', `must not copy values of more than ${maxCopied} characters in one patch`);
      at.add('path', operation.path, structuredClone(value));
    } else {
      at.apply(operation);
    }
  }
  return root[''];
}

type Container = Record<string, unknown> | unknown[];
type Field = 'path' | 'from' | 'value';

/** One operation of a patch, applied to the result of the operations before it. */
class Step {
  readonly #root: Container;
  readonly #index: number;

  constructor(root: Container, index: number) {
    this.#root = root;
    this.#index = index;
  }

  /** Applies any operation except `copy`. */
  apply(operation: PatchOperation): void {
    const { op, path, from } = operation;
    if (op === 'add') this.add('path', path, this.#valueOf(operation));
    else if (op === 'remove') this.#remove('path', path);
    else if (op === 'replace') this.#replace(path, this.#valueOf(operation));
    else if (op === 'move') this.#move(from, path);
    else if (!isDeepStrictEqual(this.get('path', path), this.#valueOf(operation))) {
      throw this.problem('value', `does not equal the value at ${path}`);
    }
  }

  get(field: Field, pointer: string | undefined): unknown {
    const { container, key } = this.#locate(field, pointer);
    return this.#existing(field, container, key);
  }

  add(field: Field, pointer: string, value: unknown): void {
    const { container, key } = this.#locate(field, pointer);
    if (!Array.isArray(container)) container[key] = value;
    else container.splice(key === '-' ? container.length : this.#position(field, key, container.length), 0, value);
  }

  problem(field: Field, message: string): Problem {
    return badField(`${this.#index}.${field}`, message);
  }

  #move(from: string | undefined, path: string): void {
    if (from !== undefined && path.startsWith(`${from}/`))
      throw this.problem('path', 'must not be inside the moved value');
    const value = this.get('from', from);
    if (from === path) return;
    this.#remove('from', from);
    this.add('path', path, value);
  }

  #replace(pointer: string, value: unknown): void {
    const { container, key } = this.#locate('path', pointer);
    this.#existing('path', container, key);
    if (Array.isArray(container)) container[Number(key)] = value;
    else container[key] = value;
  }

  #remove(field: Field, pointer: string | undefined): void {
    const { container, key } = this.#locate(field, pointer);
    this.#existing(field, container, key);
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else if (container === this.#root) throw this.problem(field, 'must not be the whole document');
    else delete container[key];
  }

  /** Returns the value of an operation that requires one. JSON null counts as a value. */
  #valueOf(operation: PatchOperation): unknown {
    if (operation.value === undefined) throw this.problem('value', `is missing: ${operation.op} needs one`);
    return structuredClone(operation.value);
  }

  /** Returns the container that a JSON Pointer (RFC 6901) leads to, and the last key of the pointer. */
  #locate(field: Field, pointer: string | undefined): { container: Container; key: string } {
    if (pointer === undefined) throw this.problem(field, 'is missing');
    if (pointer !== '' && !pointer.startsWith('/')) throw this.problem(field, 'must be empty or begin with /');
    if (/~(?![01])/.test(pointer)) throw this.problem(field, 'must write ~ as ~0');
    const keys = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (keys.includes('__proto__')) throw this.problem(field, 'must not contain __proto__');
    const key = keys.pop() as string;
    let container: unknown = this.#root;
    for (const part of keys) container = this.#existing(field, container, part);
    if (typeof container !== 'object' || container === null)
      throw this.problem(field, 'does not exist in the document');
    return { container: container as Container, key };
  }

  #existing(field: Field, container: unknown, key: string): unknown {
    if (Array.isArray(container)) return container[this.#position(field, key, container.length - 1)];
    if (typeof container === 'object' && container !== null && Object.hasOwn(container, key)) {
      return (container as Record<string, unknown>)[key];
    }
    throw this.problem(field, 'does not exist in the document');
  }

  #position(field: Field, key: string, last: number): number {
    if (/^(0|[1-9]\d{0,8})$/.test(key) && Number(key) <= last) return Number(key);
    throw this.problem(field, 'does not exist in the document');
  }
}
