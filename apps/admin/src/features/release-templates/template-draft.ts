import type { StrategyType } from '../../entities/strategies/strategy-queries.ts';
import type { Input } from '../../lib/api.ts';
import {
  newStrategy,
  type StrategyDraft,
  strategyBodyOf,
  strategyDraftOf,
  strategyProblems,
} from '../strategies/index.ts';
import type { Template } from './template-queries.ts';
import { anHour, conditionOf, type TimeDraft, timeOf, timeProblems } from './time-draft.ts';

type Body = Input<'POST /api/admin/release-plan-templates'>['body'];

/** A strategy of a milestone. New strategies have no id. */
export interface StrategyEntry {
  readonly key: string;
  readonly id?: string;
  readonly draft: StrategyDraft;
}

/** The draft of a milestone. New milestones have no id. */
export interface MilestoneDraft {
  readonly key: string;
  readonly id?: string;
  readonly name: string;
  /** Null when a person starts the next milestone. */
  readonly time: TimeDraft | null;
  readonly strategies: readonly StrategyEntry[];
}

export interface TemplateDraft {
  readonly name: string;
  readonly description: string;
  /** Empty for all projects. */
  readonly project: string;
  readonly milestones: readonly MilestoneDraft[];
}

let made = 0;
const nextKey = () => `milestone-${++made}`;

/** Returns the entry of a new strategy. */
export const entryOf = (draft: StrategyDraft): StrategyEntry => ({ key: nextKey(), draft });

/** Returns the draft of a milestone that serves a percentage of users. */
export function newMilestone(share: number, time: TimeDraft | null): MilestoneDraft {
  return { key: nextKey(), name: nameOfShare(share), time, strategies: [entryOf(gradual(share))] };
}

/** Returns the draft of a gradual rollout. Its group id stays empty, so that each plan uses the name of its flag. */
export function gradual(share: number): StrategyDraft {
  const draft = newStrategy('flexibleRollout', '', 'default');
  return { ...draft, parameters: { ...draft.parameters, rollout: String(share) } };
}

/** Returns the draft of a new template with milestones of 1, 10, 50 and 100 %, an hour each. */
export function newTemplate(project = ''): TemplateDraft {
  const milestones = [1, 10, 50, 100].map((share) => newMilestone(share, anHour));
  return { name: '', description: '', project, milestones };
}

/**
 * Returns the draft of a template. The last milestone gets the time of the milestone before, which is used when the
 * user adds another milestone after it.
 */
export function templateDraftOf({
  name,
  description,
  project,
  milestones,
}: Pick<Template, 'name' | 'description' | 'project' | 'milestones'>): TemplateDraft {
  return {
    name,
    description: description ?? '',
    project: project ?? '',
    milestones: milestones.map((milestone, index) => ({
      key: nextKey(),
      id: milestone.id,
      name: milestone.name,
      time: timeOf((index === milestones.length - 1 ? milestones.at(-2) : milestone)?.transitionCondition ?? null),
      strategies: milestone.strategies.map((strategy) => ({
        key: nextKey(),
        id: strategy.id,
        draft: strategyDraftOf(strategy),
      })),
    })),
  };
}

/** Returns the request body of a draft. The last milestone has no condition, because no milestone follows it. */
export function templateBodyOf(draft: TemplateDraft, types: readonly StrategyType[]): Body {
  const { name, description, project, milestones } = draft;
  return {
    name: name.trim(),
    description: description.trim() === '' ? null : description.trim(),
    project: project === '' ? null : project,
    milestones: milestones.map(({ id, name: ofMilestone, time, strategies }, index) => ({
      ...(id === undefined ? {} : { id }),
      name: ofMilestone.trim(),
      transitionCondition: time === null || index === milestones.length - 1 ? null : conditionOf(time),
      strategies: strategies.map(({ id: strategyId, draft: strategy }) => ({
        ...strategyBodyOf(strategy, typeOf(strategy, types)),
        ...(strategyId === undefined ? {} : { id: strategyId }),
      })),
    })),
  };
}

/** Returns the errors of a draft, by the path of the server: `milestones.0.name`. */
export function templateProblems(
  { name, milestones }: TemplateDraft,
  types: readonly StrategyType[],
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  if (name.trim() === '') problems.name = 'Enter a name.';
  if (milestones.length === 0) problems.milestones = 'Add a milestone.';
  for (const [index, milestone] of milestones.entries()) {
    const at = `milestones.${index}`;
    const { time, strategies } = milestone;
    if (milestone.name.trim() === '') problems[`${at}.name`] = 'Enter a name.';
    if (time !== null && index < milestones.length - 1)
      for (const [path, problem] of Object.entries(timeProblems(time))) problems[`${at}.${path}`] = problem;
    if (!strategies.some(({ draft }) => !draft.disabled))
      problems[`${at}.strategies`] = 'Add an enabled strategy: without one, a flag is on for everyone.';
    for (const [place, { draft }] of strategies.entries())
      for (const [path, problem] of Object.entries(strategyProblems(draft, typeOf(draft, types))))
        problems[`${at}.strategies.${place}.${path}`] = problem;
  }
  return problems;
}

const typeOf = ({ name }: StrategyDraft, types: readonly StrategyType[]) => types.find((type) => type.name === name);

/**
 * Returns the errors below a path, with the rest of their path: `name` for `milestones.0.name` below `milestones.0`.
 */
export function problemsBelow(
  problems: Readonly<Record<string, string>>,
  path: string,
): Readonly<Record<string, string>> {
  const below = Object.entries(problems).filter(([key]) => key.startsWith(`${path}.`));
  return Object.fromEntries(below.map(([key, problem]) => [key.slice(path.length + 1), problem]));
}

const nameOfShare = (share: number | string) => `${share} %`;

/**
 * Returns the milestone with another percentage in one of its strategies. If the name of the milestone is the old
 * percentage, it becomes the new one.
 */
export function withShare(milestone: MilestoneDraft, key: string, share: number | string): MilestoneDraft {
  const before = milestone.strategies.find((entry) => entry.key === key)?.draft.parameters.rollout ?? '';
  return {
    ...milestone,
    name: milestone.name === nameOfShare(before) && share !== '' ? nameOfShare(share) : milestone.name,
    strategies: milestone.strategies.map((entry) =>
      entry.key === key
        ? { ...entry, draft: { ...entry.draft, parameters: { ...entry.draft.parameters, rollout: String(share) } } }
        : entry,
    ),
  };
}

/** Returns the list with the item at `index` moved one place earlier or later. */
export function moved<Item>(items: readonly Item[], index: number, by: -1 | 1): readonly Item[] {
  const item = items[index];
  const place = index + by;
  if (item === undefined || place < 0 || place >= items.length) return items;
  return items.toSpliced(index, 1).toSpliced(place, 0, item);
}
