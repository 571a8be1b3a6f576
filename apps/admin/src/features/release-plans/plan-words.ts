import type { Condition, Milestone, Plan } from '../../entities/release-plans/plan-queries.ts';
import { describeMetric } from '../../entities/safeguards/safeguard-words.ts';

/** Returns a number of minutes in the largest unit that divides it: "2 hours". */
export function formatMinutes(minutes: number): string {
  const [unit, size] = minutes % 1440 === 0 ? ['day', 1440] : minutes % 60 === 0 ? ['hour', 60] : ['minute', 1];
  const count = minutes / Number(size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns the milestone after the active one. */
function nextMilestone({ milestones, activeMilestoneId }: Pick<Plan, 'milestones' | 'activeMilestoneId'>) {
  return milestones[milestones.findIndex(({ id }) => id === activeMilestoneId) + 1];
}

/**
 * Returns why a plan is at its milestone. For a running plan, the page shows the time of the next milestone after it.
 */
export function describeProgress(plan: Plan): string {
  const next = nextMilestone(plan);
  const { state, reason } = plan.progress;
  switch (state) {
    case 'completed':
      if (plan.shadow)
        return 'The last milestone has started, and users got none. Serve a milestone, or remove the plan.';
      return 'The last milestone has started. Remove the plan and keep its strategies when the release is over.';
    case 'paused':
      if (reason === null) return 'Paused. The milestone stays until the plan is resumed.';
      return `Halted: ${reason} The milestone stays until a person resumes the plan.`;
    case 'held':
      return 'Halted: the flag is held. When the hold ends, the milestone starts anew with its full time.';
    case 'halted':
      return `Halted: ${lowerFirst(reason ?? 'automation is stopped.')} Afterwards the milestone goes on with the time that is left.`;
    case 'off':
      return 'The flag is off. Time at the milestone counts while it is on.';
    case 'gated':
      return 'The time at this milestone is over.';
    case 'running':
      return `${plan.shadow ? 'Is at' : 'Serves'} this milestone. Next: ${next?.name ?? ''}`;
    default:
      return `Waits until a person starts ${next?.name ?? 'the next milestone'}.`;
  }
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Returns a sentence for each closed gate that a plan waits for, except time and hours, which the progress tells. */
export function describeGates({ progress: { state, waitsFor } }: Pick<Plan, 'progress'>): string[] {
  if (state !== 'running' && state !== 'gated') return [];
  if (state === 'gated' && waitsFor.length === 0)
    return ['All conditions hold: the next milestone starts within a minute.'];
  return waitsFor.flatMap(({ gate, text }) => (gate === 'time' || gate === 'hours' ? [] : [`${text}.`]));
}

type PlanWithGates = Pick<Plan, 'milestones' | 'activeMilestoneId'> & {
  readonly progress: Pick<Plan['progress'], 'state' | 'elapsedMinutes'>;
  readonly safeguards: readonly object[];
};

/** Returns what happens when the gates of a milestone are replaced; `condition` null removes them. */
export function describeNewGates(
  { milestones, activeMilestoneId, progress, safeguards }: PlanWithGates,
  id: string,
  condition: Milestone['transitionCondition'],
): string {
  const index = milestones.findIndex((milestone) => milestone.id === id);
  const active = milestones.findIndex((milestone) => milestone.id === activeMilestoneId);
  const [milestone, next] = milestones.slice(index, index + 2);
  if (milestone === undefined || next === undefined) return '';
  const { name } = milestone;
  if (index < active) return `${name} has ended. The gates apply when it is started again.`;
  if (condition === null) return `Without gates, ${name} is served until a person starts ${next.name}.`;
  const first = safeguards.length > 0 && condition.intervalMinutes < firstValueMinutes ? ` ${waitsForValue}` : '';
  if (index > active) return `Once ${name} has started, ${next.name} starts when all of these gates are open.${first}`;
  const approval = isApprovalForgotten(milestone, condition) ? ` The approval of ${name} is forgotten.` : '';
  return `${whenNextStarts(next.name, name, progress, condition)}${first}${approval}`;
}

/** How many minutes the first value of a safeguard takes, as the warnings of the server say; a test compares them. */
const firstValueMinutes = 2;
const waitsForValue = `It also waits for a first value of each safeguard, which takes about ${firstValueMinutes} minutes.`;

/** Returns when the milestone after the active one starts, and how much of its time has already been counted. */
function whenNextStarts(
  next: string,
  name: string,
  { state, elapsedMinutes }: PlanWithGates['progress'],
  { intervalMinutes, ...otherGates }: Condition,
): string {
  const gates = `${next} starts when all of these gates are open.`;
  if (elapsedMinutes === 0) return gates;
  const counted = `Time counted at ${name}: ${formatMinutes(elapsedMinutes)}`;
  if (intervalMinutes < 1 || elapsedMinutes < intervalMinutes) return `${gates} ${counted}.`;
  const isStopped = state === 'paused' || state === 'held' || state === 'halted' || state === 'off';
  return isStopped || Object.keys(otherGates).length > 0
    ? `${gates} ${counted}, so the gate of its time is open.`
    : `${next} starts at once. ${counted}.`;
}

/** Returns whether a change of the gates discards the approval of a milestone, because the gate of approval changes. */
function isApprovalForgotten({ approvedAt, transitionCondition: before }: Milestone, after: Condition): boolean {
  return approvedAt !== null && JSON.stringify(before?.approval) !== JSON.stringify(after.approval);
}

/** Returns after how many halts a plan goes back to its first milestone; undefined for a plan that never does. */
export function describeHalts({ maxHalts, milestones, progress }: Plan): string | undefined {
  if (maxHalts === null || progress.state === 'completed') return undefined;
  const after = maxHalts === 1 ? 'the first halt' : `${maxHalts} halts`;
  const halted = progress.halts === 0 ? '' : ` Halted here: ${progress.halts}.`;
  return `After ${after} at a milestone the plan goes back to ${milestones[0]?.name} and waits for a person.${halted}`;
}

/** Returns how long a hold of automation lasts at least, and when it goes further down; undefined without both. */
export function describePatience({ stepDownMinutes, restMinutes, progress }: Plan): string | undefined {
  if (progress.state === 'completed') return undefined;
  const rests = restMinutes === 0 ? [] : [`lasts at least ${formatMinutes(restMinutes)}`];
  const down =
    stepDownMinutes === null
      ? []
      : [`goes one milestone further down after ${formatMinutes(stepDownMinutes)} without effect`];
  const says = [...rests, ...down];
  return says.length === 0 ? undefined : `A hold of automation at a milestone ${says.join(', and ')}.`;
}

/** Returns the condition on which the next milestone starts; undefined for the last milestone. */
export function describeCondition(milestone: Milestone, isLast: boolean): string | undefined {
  if (isLast) return undefined;
  const { transitionCondition: condition } = milestone;
  if (condition === null) return 'then by hand';
  const { intervalMinutes, hours, evaluations, metric, approval } = condition;
  const within =
    hours === undefined ? '' : `, then on ${hours.days.join(', ')} ${hours.from}–${hours.to} (${hours.timeZone})`;
  const further = [
    evaluations === undefined ? [] : `after ${evaluations} evaluations`,
    metric === undefined ? [] : `while ${describeMetric(metric.impactMetric, metric.condition)}`,
    approval === undefined ? [] : `when ${approval.by === 'action' ? 'an action' : 'a person'} approves it`,
  ];
  return [`for ${formatMinutes(intervalMinutes)}${within}`, ...further.flat()].join(', ');
}
