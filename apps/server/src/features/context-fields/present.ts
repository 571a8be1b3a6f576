import type { Identity } from '../../kernel/caller.ts';
import { isoTimeOrNull } from '../../kernel/clock.ts';
import { jsonList } from '../../kernel/json-list.ts';
import type { ContextField } from './context-field.ts';
import type { AskingStrategy, ContextFieldUse } from './queries.ts';

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

/** The answer that lists strategies, those of hidden projects left out, as JSON text: it may be too long to be built in memory. */
export function strategiesAsText(
  pages: AsyncIterable<readonly AskingStrategy[]>,
  { hidden }: Pick<Identity, 'hidden'>,
) {
  return jsonList({}, 'strategies', seenAsText(pages, hidden));
}

async function* seenAsText(pages: AsyncIterable<readonly AskingStrategy[]>, hidden: Identity['hidden']) {
  for await (const page of pages) {
    yield page.filter(({ projectId }) => !hidden.has(projectId)).map((one) => JSON.stringify(one));
  }
}
