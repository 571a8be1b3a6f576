import type { Identity } from '../../kernel/caller.ts';
import { isoTimeOrNull } from '../../kernel/clock.ts';
import { jsonList } from '../../kernel/json-list.ts';
import type { ContextField } from './context-field.ts';
import type { AskingStrategies, ContextFieldUse } from './queries.ts';

export function presentContextField(field: ContextField, use: ContextFieldUse) {
  return {
    name: field.name,
    // Absent, not null, when there is none: Terraform's provider does not survive a null.
    ...(field.description === null ? {} : { description: field.description }),
    stickiness: field.stickiness,
    sortOrder: field.sortOrder,
    legalValues: field.legalValues.map((one) => ({ ...one })),
    ...(field.project === null ? {} : { project: field.project }),
    createdAt: isoTimeOrNull(field.createdAt),
    usedInFeatures: use.features,
    usedInProjects: use.projects,
  };
}

/** The answer that lists strategies, those of hidden projects left out, as JSON text: it is several times as long as what is read for it, and need not be in memory whole. */
export function askingAsText(asking: readonly AskingStrategies[], { hidden }: Pick<Identity, 'hidden'>) {
  return jsonList({}, 'strategies', pagesOf(asking.filter(({ projectId }) => !hidden.has(projectId))));
}

async function* pagesOf(asking: readonly AskingStrategies[]) {
  for (const { ids, featureNames, ...same } of asking) {
    // What is the same of all is made text once, of what may be ten thousand; names of flags and ids need no escaping.
    const rest = JSON.stringify(same).slice(1);
    yield ids.map((id, index) => `{"id":"${id}","featureName":"${featureNames[index]}",${rest}`);
  }
}
