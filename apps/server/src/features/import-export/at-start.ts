import { readFile } from 'node:fs/promises';
import { type ImportedData, importedDataSchema } from '@yardarm/contract';
import { parse as readYaml } from 'yaml';
import { parse } from '../../http/parse.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { Db } from '../../storage/tx.ts';
import { presentFlagNames } from '../flags/index.ts';
import { changeSetting, findSetting } from '../settings/index.ts';
import type { StateLimits } from '../state/index.ts';
import { importFlags } from './import.ts';
import type { ImportTarget } from './wanted.ts';

/** The service itself, which nobody has to allow anything. */
const service: Identity = {
  actor: systemActor,
  kind: 'anonymous',
  sessionId: null,
  can: () => true,
  canSomewhere: () => true,
  hidden: new Set(),
};
const author: Author = { actor: systemActor, cause: {}, can: () => true };

/**
 * Imports a file when the service starts for the first time with one for this project and environment
 * (docs/spec#import-and-export). Afterwards neither that file nor another one is looked at, and flags that there are
 * already are left alone: what people have changed stays. Answers the names of the flags that were created, undefined
 * when it was done before. Rejects, and imports nothing, when the file cannot be imported; the message names the file.
 */
export async function importAtStart(
  database: Database,
  limits: StateLimits,
  file: string,
  target: ImportTarget,
): Promise<readonly string[] | undefined> {
  const setting = `import.${target.project}.${target.environment}`;
  if ((await findSetting(database.db, setting)) !== undefined) return undefined;
  try {
    const data = parse(importedDataSchema, read(file, await readFile(file, 'utf8')));
    return await database.write(author, async (tx) => {
      // Another process may have been quicker.
      if ((await findSetting(tx.db, setting)) !== undefined) return undefined;
      const fresh = await withoutPresent(tx.db, data);
      await importFlags(tx, limits, { ...target, data: fresh }, service);
      await changeSetting(tx, setting, undefined, { imported: true });
      return fresh.features.map(({ name }) => name);
    });
  } catch (error) {
    const message = error instanceof Problem ? [error.message, ...detailsOf(error)].join('\n  - ') : String(error);
    throw new Error(`IMPORT_FILE ${file} cannot be imported: ${message}`, { cause: error });
  }
}

/** Files of the state API were YAML as often as JSON. */
function read(file: string, text: string): unknown {
  return /\.ya?ml$/i.test(file) ? readYaml(text) : text;
}

function detailsOf({ details = [] }: Problem): string[] {
  return details.length < 2 ? [] : details.map(({ message }) => message);
}

async function withoutPresent(db: Db, data: ImportedData): Promise<ImportedData> {
  const present = await presentFlagNames(
    db,
    data.features.map(({ name }) => name),
  );
  return {
    ...data,
    features: data.features.filter(({ name }) => !present.has(name)),
    featureStrategies: data.featureStrategies.filter(({ featureName }) => !present.has(featureName)),
    featureTags: data.featureTags.filter(({ featureName }) => !present.has(featureName)),
  };
}
