import type { Identity } from '#kernel/caller.ts';
import { isoTimeOrNull } from '#kernel/clock.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { ContextField } from './context-field.ts';
import type { ContextFieldUse, UsingStrategies } from './queries.ts';

export function presentContextField(field: ContextField, use: ContextFieldUse) {
  return {
    name: field.name,
    // A missing description is omitted: Terraform's provider crashes on null.
    ...(field.description === null ? {} : { description: field.description }),
    stickiness: field.stickiness,
    sortOrder: field.sortOrder,
    legalValues: field.legalValues.map((legalValue) => ({ ...legalValue })),
    ...(field.project === null ? {} : { project: field.project }),
    createdAt: isoTimeOrNull(field.createdAt),
    usedInFeatures: use.features,
    usedInProjects: use.projects,
  };
}

/**
 * Returns the list of strategies outside hidden projects as pages of JSON text. The text is several times larger than
 * the rows, so it is streamed instead of kept in memory.
 */
export function strategiesAsText(strategies: readonly UsingStrategies[], { hidden }: Pick<Identity, 'hidden'>) {
  return jsonList({}, 'strategies', pagesOf(strategies.filter(({ projectId }) => !hidden.has(projectId))));
}

async function* pagesOf(strategies: readonly UsingStrategies[]) {
  for (const { ids, featureNames, ...same } of strategies) {
    // The common fields are serialized once for up to ten thousand strategies; flag names and ids need no escaping.
    const rest = JSON.stringify(same).slice(1);
    yield ids.map((id, index) => `{"id":"${id}","featureName":"${featureNames[index]}",${rest}`);
  }
}
