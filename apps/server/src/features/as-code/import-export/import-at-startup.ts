import { readFile } from 'node:fs/promises';
import { type ImportedData, importedDataSchema } from '@yardarm/contract';
import { parse as readYaml } from 'yaml';
import { z } from 'zod';
import type { StateLimits } from '#features/as-code/state/index.ts';
import { existingFlagNames } from '#features/flags/definitions/index.ts';
import { changeSetting, defineSetting, findSetting } from '#features/platform/settings/index.ts';
import { parse } from '#http/parse.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { importFlags } from './import.ts';
import type { ImportTarget } from './to-desired-state.ts';

/** The identity of the server, which has all permissions. */
const serverIdentity: Identity = {
  actor: systemActor,
  kind: 'anonymous',
  sessionId: null,
  tokenId: null,
  can: () => true,
  canSomewhere: () => true,
  hidden: new Set(),
};
const author: Author = { actor: systemActor, cause: {}, can: () => true };

/**
 * Imports a file at the first start for this project and environment (docs/spec#import-and-export), and never again,
 * so that later changes by users stay. Existing flags are left alone. Returns the names of the created flags;
 * undefined when an earlier start imported a file. Rejects and imports nothing when the file is invalid; the message
 * names the file.
 */
export async function importAtStartup(
  database: Database,
  limits: StateLimits,
  file: string,
  target: ImportTarget,
): Promise<readonly string[] | undefined> {
  const setting = defineSetting(`import.${target.project}.${target.environment}`, z.object({ imported: z.boolean() }));
  if ((await findSetting(database.db, setting)) !== undefined) return undefined;
  try {
    const data = parse(importedDataSchema, parseFile(file, await readFile(file, 'utf8')));
    return await database.write(author, async (tx) => {
      // Another process may have imported the file meanwhile.
      if ((await findSetting(tx.db, setting)) !== undefined) return undefined;
      const newData = await withoutExistingFlags(tx.db, data);
      const { flags } = await importFlags(tx, limits, { ...target, data: newData }, serverIdentity);
      await changeSetting(tx, setting, undefined, { imported: true });
      return flags.flatMap(({ before, after }) => (before === undefined ? after.feature.name : []));
    });
  } catch (error) {
    const message = error instanceof Problem ? [error.message, ...detailsOf(error)].join('\n  - ') : String(error);
    throw new Error(`IMPORT_FILE ${file} cannot be imported: ${message}`, { cause: error });
  }
}

/** Files of the former state API may be YAML or JSON. */
function parseFile(file: string, text: string): unknown {
  return /\.ya?ml$/i.test(file) ? readYaml(text) : text;
}

function detailsOf({ details = [] }: Problem): string[] {
  return details.length < 2 ? [] : details.map(({ message }) => message);
}

async function withoutExistingFlags(db: Db, data: ImportedData): Promise<ImportedData> {
  const present = await existingFlagNames(
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
