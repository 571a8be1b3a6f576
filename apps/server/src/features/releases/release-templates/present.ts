import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import { presentMilestone } from './milestone.ts';
import type { Template } from './template.ts';

export function presentTemplate({ milestones, createdAt, archivedAt, ...template }: Template) {
  return {
    ...template,
    discriminator: 'template' as const,
    createdAt: isoTime(createdAt),
    archivedAt: isoTimeOrNull(archivedAt),
    milestones: milestones.map((milestone) => presentMilestone(milestone, template.id)),
  };
}
