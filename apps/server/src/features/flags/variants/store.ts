import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import { type Db, sql, type Tx } from '#storage/tx.ts';
import { flagVariantsColumn } from './stored-variants.ts';
import type { FlagVariant } from './variant.ts';

const selectVariants = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  db
    .selectFrom('feature_variants')
    .select(['feature_name', 'environment', 'variants'])
    .where('feature_name', 'in', names)
    .orderBy('environment'),
);

/** Returns a flag's own variants by environment; environments without variants are absent. */
export async function variantsByEnvironment(
  db: Db,
  featureName: string,
): Promise<ReadonlyMap<string, readonly FlagVariant[]>> {
  const rows = await selectVariants(db, { names: [featureName] });
  return new Map(rows.map((row) => [row.environment, variantsOf(row)]));
}

/** Lists the flags' own variants in each environment that has any, with one statement. */
export async function listVariants(
  db: Db,
  names: readonly string[],
): Promise<{ featureName: string; environment: string; variants: readonly FlagVariant[] }[]> {
  if (names.length === 0) return [];
  const rows = await selectVariants(db, { names });
  return rows.map((row) => ({
    featureName: row.feature_name,
    environment: row.environment,
    variants: variantsOf(row),
  }));
}

/** Replaces a flag's own variants in an environment. */
export async function putVariants(
  tx: Tx,
  featureName: string,
  environment: string,
  variants: readonly FlagVariant[],
): Promise<void> {
  if (variants.length === 0) {
    await tx.db
      .deleteFrom('feature_variants')
      .where('feature_name', '=', featureName)
      .where('environment', '=', environment)
      .execute();
    return;
  }
  const text = flagVariantsColumn.write(variants);
  await tx.db
    .insertInto('feature_variants')
    .values({ feature_name: featureName, environment, variants: text })
    .onConflict((conflict) => conflict.columns(['feature_name', 'environment']).doUpdateSet({ variants: text }))
    .execute();
}

/** Copies the own variants of the projects' flags in an environment to another environment in which they have none. */
export async function copyVariants(
  tx: Tx,
  { from, to, projects }: { readonly from: string; readonly to: string; readonly projects: readonly string[] },
): Promise<void> {
  await tx.db
    .insertInto('feature_variants')
    .columns(['feature_name', 'environment', 'variants'])
    .expression((eb) =>
      eb
        .selectFrom('feature_variants as v')
        .innerJoin('features as f', 'f.name', 'v.feature_name')
        .where('v.environment', '=', from)
        .where('f.project', 'in', projects)
        .select(['v.feature_name', sql<string>`cast(${to} as text)`.as('environment'), 'v.variants']),
    )
    .execute();
}

function variantsOf({ feature_name, environment, variants }: Row<'feature_variants'>): readonly FlagVariant[] {
  return flagVariantsColumn.parse(variants, `${feature_name} in ${environment}`);
}
