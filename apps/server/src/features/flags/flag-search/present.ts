import { dependenciesOf } from '#features/flags/dependencies/index.ts';
import { type FeatureView, presentFeature } from '#features/flags/reading/index.ts';
import type { Db } from '#storage/tx.ts';

/** Renders search results as JSON text, page by page, with a constant number of statements for each page. */
export async function* searchResultsAsText(
  db: Db,
  pages: AsyncIterable<readonly FeatureView[]>,
): AsyncGenerator<string[]> {
  for await (const page of pages) {
    const names = page.map(({ feature }) => feature.name);
    const [{ parents, children }, segments, colors] = await Promise.all([
      dependenciesOf(db, names),
      segmentsOf(db, names),
      colorsOf(db, names),
    ]);
    const [isChild, isParent] = [
      new Set(parents.map(({ child }) => child)),
      new Set(children.map(({ parent }) => parent)),
    ];
    yield page.map((view) => {
      const { name } = view.feature;
      const dependencyType = isParent.has(name) ? 'parent' : isChild.has(name) ? 'child' : null;
      return JSON.stringify({
        ...presentFeature(view),
        dependencyType,
        segments: segments.get(name) ?? [],
        tags: view.tags.map((tag) => ({ ...tag, color: colors.get(tagKey(tag)) ?? null })),
      });
    });
  }
}

/** Returns the colours of the flags' tags by tag; tags without a colour are left out. */
async function colorsOf(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('feature_tags as f')
    .innerJoin('tags as t', (join) => join.onRef('t.type', '=', 'f.type').onRef('t.value', '=', 'f.value'))
    .where('f.feature_name', 'in', names)
    .where('t.color', 'is not', null)
    .select(['t.type', 't.value', 't.color'])
    .distinct()
    .execute();
  return new Map(rows.flatMap((tag) => (tag.color === null ? [] : [[tagKey(tag), tag.color] as const])));
}

function tagKey({ type, value }: { readonly type: string; readonly value: string }): string {
  return `${type}:${value}`;
}

/** Returns the distinct names of the segments that the flags' strategies use in any environment, by flag and sorted. */
async function segmentsOf(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('feature_strategies as s')
    .innerJoin('feature_strategy_segments as u', 'u.strategy_id', 's.id')
    .innerJoin('segments as g', 'g.id', 'u.segment_id')
    .where('s.feature_name', 'in', names)
    .select(['s.feature_name as featureName', 'g.name'])
    .distinct()
    .execute();
  const byFlag = Map.groupBy(rows, (row) => row.featureName);
  return new Map([...byFlag].map(([flag, used]) => [flag, used.map(({ name }) => name).toSorted()]));
}
