import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Manifest } from './render.ts';

const kinds = fileURLToPath(new URL('./kinds.fixture.ts', import.meta.url));
const virtual = fileURLToPath(new URL('./checked-objects.ts', import.meta.url));

/** Cache of parsed files: parsing the types of TypeScript and Kubernetes takes most of the time. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Returns the type errors of objects: unknown fields, missing fields, and values of another type. Each error has the
 * name of the object's file and the line in question.
 */
export function typeProblems(objects: Readonly<Record<string, Manifest>>): string[] {
  const names = Object.keys(objects);
  const literals = Object.values(objects).map(
    (object, at) => `export const object${at}: kinds.${object.kind} = ${JSON.stringify(object, undefined, 1)};`,
  );
  const text = [`import type * as kinds from './kinds.fixture.ts';`, ...literals].join('\n');
  const starts = literals.map((literal) => text.indexOf(literal));
  return diagnosticsOf(text).map(({ start = 0, messageText }) => {
    const object = starts.findLastIndex((from) => from <= start);
    const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', start)).trim();
    return `${names[object]}: ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

function diagnosticsOf(text: string): readonly ts.Diagnostic[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === virtual || fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    if (path === virtual) return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  return ts.getPreEmitDiagnostics(ts.createProgram([virtual, kinds], options, host));
}
