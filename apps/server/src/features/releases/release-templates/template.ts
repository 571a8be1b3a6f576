import type { Milestone } from './milestone.ts';

/** A template of release plans. */
export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** The only project whose flags can use the template; null for all projects. */
  readonly project: string | null;
  readonly createdByUserId: number;
  readonly createdAt: number;
  /** An archived template cannot be applied. */
  readonly archivedAt: number | null;
  readonly milestones: readonly Milestone[];
}
