import { isoTimeOrNull } from '../../kernel/clock.ts';
import type { ContextField } from './context-field.ts';
import type { ContextFieldUse } from './queries.ts';

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
