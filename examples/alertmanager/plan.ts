import { type Administrator, call, environment, project } from './setup.ts';
import type { Event } from './watch.ts';

/** A release plan as Yardarm answers it. */
export interface Plan {
  readonly createdAt: string;
  readonly activeMilestoneId: string;
  readonly milestones: readonly { readonly id: string; readonly name: string }[];
  readonly progress: {
    readonly state: 'completed' | 'paused' | 'held' | 'off' | 'running' | 'gated' | 'waiting';
    /** When the next milestone is due; null while the plan is held. */
    readonly nextAt: string | null;
    /** The closed gates. */
    readonly waitsFor: readonly { readonly gate: string; readonly text: string }[];
  };
}

/** An event of a release plan. */
export interface PlanEvent extends Event {
  readonly data: {
    readonly milestoneName?: string;
    /** The cause that started a milestone: `added`, `time`. */
    readonly trigger?: string;
    /** The reason why the plan was halted or goes on. */
    readonly reason?: string | null;
  };
}

const plansOf = (flag: string) => `projects/${project}/features/${flag}/environments/${environment}/release-plans`;

/** Adds a plan: 10 % of the users for the shortest time that a milestone can have, then everyone. */
export async function addPlan(admin: Administrator, flag: string): Promise<Plan> {
  const strategies = (rollout: string) => [{ name: 'flexibleRollout', parameters: { rollout, stickiness: 'userId' } }];
  return await call(admin, 'POST', plansOf(flag), {
    milestones: [
      { name: '10 %', transitionCondition: { intervalMinutes: 1 }, strategies: strategies('10') },
      { name: '100 %', strategies: strategies('100') },
    ],
  });
}

/** Returns the plan of the flag. */
export async function planOf(admin: Administrator, flag: string): Promise<Plan> {
  const [plan] = await call<Plan[]>(admin, 'GET', plansOf(flag));
  if (plan === undefined) throw new Error(`${flag} has no release plan.`);
  return plan;
}

/** Returns the name of the milestone whose strategies are served. */
export function activeMilestone({ activeMilestoneId, milestones }: Plan): string {
  return milestones.find(({ id }) => id === activeMilestoneId)?.name ?? '';
}

const planEventTypes = [
  'release-plan-added',
  'release-plan-milestone-started',
  'release-plan-progressions-paused',
  'release-plan-progressions-resumed',
];

/** Returns the events of the plan of the flag, oldest first. */
export async function planEvents(admin: Administrator, flag: string): Promise<PlanEvent[]> {
  const path = `events/feed?feature=${flag}&types=${planEventTypes.join(',')}`;
  return (await call<{ events: PlanEvent[] }>(admin, 'GET', path)).events;
}
