import type { Template } from './template-queries.ts';

/** Returns the milestones in words: "1 % → 10 % → 50 % → 100 %". */
export function describeMilestones({ milestones }: Pick<Template, 'milestones'>): string {
  return milestones.length === 0 ? 'None yet' : milestones.map(({ name }) => name).join(' → ');
}
