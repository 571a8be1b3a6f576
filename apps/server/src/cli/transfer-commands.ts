import { parse } from 'yaml';
import { CommandError } from './command-error.ts';
import { confirm } from './confirm.ts';
import { type Change, describeChanges } from './difference.ts';
import { readText, writeText } from './files.ts';
import type { Remote } from './remote.ts';
import { type ApplyOptions, describeNeed, differs } from './state-commands.ts';

export interface ExportOptions {
  readonly environment: string;
  readonly project?: string | undefined;
  readonly tag?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly output?: string | undefined;
  readonly wholeSegments?: boolean | undefined;
}

/** Writes an export to a file, or prints it. */
export async function exportTo(remote: Remote, options: ExportOptions): Promise<void> {
  const text = JSON.stringify(await fetchExport(remote, options), null, 2);
  if (options.output === undefined) console.log(text);
  else writeText(options.output, `${text}\n`, { replace: false });
}

/** Returns an export of the selected flags. Rejects with a CommandError unless one selection is given. */
export async function fetchExport(remote: Remote, options: ExportOptions): Promise<unknown> {
  const { environment, project, tag, features, wholeSegments = false } = options;
  if ([project, tag, features].filter((option) => option !== undefined).length !== 1) {
    throw new CommandError('Say what to export: one of --project, --tag and --features.');
  }
  const selection = project !== undefined ? { project } : tag !== undefined ? { tag } : { features };
  const body = { environment, ...selection, wholeSegments, downloadFile: false };
  return remote.call('POST /api/admin/features-batch/export', body);
}

interface Item {
  readonly message: string;
  readonly affectedItems: readonly string[];
}

interface Validation {
  readonly errors: readonly Item[];
  readonly warnings: readonly Item[];
  readonly permissions: readonly Item[];
  readonly changes: readonly Change[];
}

/**
 * Shows the changes of an import, asks for confirmation, and imports. Resolves with the exit code of {@link
 * applyFolder}.
 */
export async function importFrom(
  remote: Remote,
  file: string,
  { project, environment, ...options }: ApplyOptions & { readonly project: string; readonly environment: string },
): Promise<number> {
  const body = { project, environment, data: readExport(file) };
  const answer = await remote.call('POST /api/admin/features-batch/validate', body);
  const { errors, warnings, permissions, changes } = answer as Validation;
  for (const { message, affectedItems } of warnings) console.log(`Note: ${describeNeed(message, affectedItems)}`);
  if (errors.length > 0) throw new CommandError(describeItems(errors));
  if (changes.length === 0) {
    console.log('No changes.');
    return 0;
  }
  console.log(describeChanges(changes));
  if (options.dryRun === true) return differs;
  if (permissions.length > 0) throw new CommandError(describeItems(permissions));
  if (options.yes !== true && !(await confirm('Import this?')))
    throw new CommandError('Not confirmed. Nothing was changed.');
  await remote.call('POST /api/admin/features-batch/import', body);
  console.log('Imported.');
  return 0;
}

/**
 * Returns the text of a JSON file unparsed, because the server reports its errors, and the parsed content of a YAML
 * file.
 */
function readExport(file: string): unknown {
  const text = readText(file);
  if (!/\.ya?ml$/i.test(file)) return text;
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not valid YAML: ${(error as Error).message}`);
  }
}

function describeItems(items: readonly Item[]): string {
  return items.map(({ message, affectedItems }) => describeNeed(message, affectedItems)).join('\n');
}
