import type { Answer } from '../../lib/api.ts';
import type { Course, Stretch } from './course/course.ts';

export type Rehearsal =
  Answer<'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/rehearse'>;
type Step = Rehearsal['steps'][number];

/** A stretch of a rehearsal. */
interface RehearsedStretch extends Stretch {
  readonly milestoneOrder: number;
}

const courseAfter: Readonly<Record<Step['step'], Course | undefined>> = {
  started: 'running',
  held: 'held',
  released: 'running',
  gated: 'gated',
  approved: undefined,
  'no-data': undefined,
  paused: 'paused',
};

/** Returns the stretches of a rehearsal, in order and without gaps. */
export function stretchesOf({ steps, to }: Pick<Rehearsal, 'steps' | 'to'>): RehearsedStretch[] {
  let course: Course = 'running';
  return steps.flatMap(({ at, step, milestone, milestoneOrder }, index) => {
    course = courseAfter[step] ?? course;
    const [from, end] = [Date.parse(at), Date.parse(steps[index + 1]?.at ?? to)];
    return end === from ? [] : [{ from, to: end, milestone, milestoneOrder, course }];
  });
}

const words: Readonly<Record<Rehearsal['state'], string>> = {
  completed: 'the last milestone has started',
  paused: 'the plan is paused',
  held: 'the flag is held',
  halted: 'automation is stopped',
  off: 'the flag is off',
  running: 'its time is not over',
  gated: 'a condition is not met',
  waiting: 'a person starts the next milestone',
};

/** Returns where the plan would be now: "It would be at 50 % now: the flag is held." */
export function describeEnd({ milestone, state }: Pick<Rehearsal, 'milestone' | 'state'>): string {
  return `It would be at ${milestone} now: ${words[state]}.`;
}

/** Returns the title of a step. */
export function titleOf({ step, milestone }: Pick<Step, 'step' | 'milestone'>): string {
  const titles = {
    started: `${milestone} starts`,
    held: `${milestone} is halted`,
    released: `${milestone} starts anew`,
    gated: `${milestone} waits`,
    approved: `${milestone} is approved`,
    'no-data': `A safeguard of ${milestone} has no data`,
    paused: `The plan is paused at ${milestone}`,
  };
  return titles[step];
}
