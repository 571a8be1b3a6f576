import type { Db } from '../../storage/tx.ts';
import { dependenciesOf, type FeatureView, presentFeature } from '../flags/index.ts';

/** Flags as a search answers them, as JSON text. What they use and depend on is read page by page, in as many statements for each. */
export async function* foundAsText(db: Db, pages: AsyncIterable<readonly FeatureView[]>): AsyncGenerator<string[]> {
  for await (const page of pages) {
    const names = page.map(({ feature }) => feature.name);
    const [{ parents, children }, segments] = await Promise.all([dependenciesOf(db, names), segmentsOf(db, names)]);
    const [isChild, isParent] = [
      new Set(parents.map(({ child }) => child)),
      new Set(children.map(({ parent }) => parent)),
    ];
    yield page.map((view) => {
      const { name } = view.feature;
      const dependencyType = isParent.has(name) ? 'parent' : isChild.has(name) ? 'child' : null;
      return JSON.stringify({ ...presentFeature(view), dependencyType, segments: segments.get(name) ?? [] });
    });
  }
}

/** Names of the segments that strategies of flags use, in any environment, each once and ordered by their characters. */
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
