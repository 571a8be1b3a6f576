import type { rehearsedSteps } from '@yardarm/contract';
import type { ReadRecent } from '#features/metrics/impact-metrics/index.ts';
import type { Db } from '#storage/tx.ts';
import { type LookedAt, lookAtGates, type MilestoneRun } from './gates/index.ts';
import {
  activeMilestone,
  milestoneAfter,
  type Plan,
  runOf,
  type StartTrigger,
  stateOf,
  tooManyHalts,
  withApproval,
  withLaterLook,
  withStarted,
  withTime,
} from './plan.ts';

/** The maximum number of steps that a rehearsal returns. */
const maxSteps = 500;

/** An action on the flag of a plan that is rehearsed. */
export interface PlanAction {
  /** Milliseconds UTC. */
  readonly at: number;
  readonly signalId: number;
  /** `name` is null for callers who may not read actions. */
  readonly set: { readonly id: number; readonly name: string | null };
  readonly does:
    | { readonly type: 'hold'; readonly hold: PlanHold }
    | { readonly type: 'release'; readonly ends: (hold: PlanHold) => boolean }
    | { readonly type: 'approve'; readonly milestone: string | undefined };
}

/** A hold that an action or a safeguard places. It replaces an earlier hold with the same set and key. */
export interface PlanHold {
  readonly key: string;
  /** Null for the hold of a safeguard, whose id is the key. */
  readonly setId: number | null;
  readonly userId: number;
  /** When the hold expires, in milliseconds UTC; null when it does not. */
  readonly until: number | null;
  readonly reason: string | null;
  /** Whether it holds the flag at a milestone, or for a safeguard, so that the milestone rests. */
  readonly rests: boolean;
}

/** A change of a plan in a rehearsal. */
export interface RehearsedStep {
  readonly at: number;
  readonly step: (typeof rehearsedSteps)[number];
  /** The name of the active milestone. */
  readonly milestone: string;
  /** The position of the active milestone in the plan, from 0. */
  readonly milestoneOrder: number;
  readonly text: string;
  readonly by: Pick<PlanAction, 'signalId' | 'set'> | undefined;
}

export interface Rehearsal {
  readonly plan: Plan;
  readonly state: ReturnType<typeof stateOf>;
  readonly steps: readonly RehearsedStep[];
  /** Whether there were more steps than are returned. */
  readonly truncated: boolean;
  /** The gates that are closed at the end. */
  readonly waitsFor: readonly LookedAt[];
}

export interface RehearsalInput {
  /** The actions on the flag, oldest first. */
  readonly actions: readonly PlanAction[];
  /** When the plan starts and the rehearsal ends, in milliseconds UTC. */
  readonly from: number;
  readonly to: number;
  /** How often closed gates and safeguards are looked at, in milliseconds. */
  readonly everyMs: number;
  /** Reads the metrics of gates. */
  readonly read: ReadRecent;
  /** Looks at the safeguards of the plan at a time. */
  readonly lookAtSafeguards: (plan: Plan, at: number) => Promise<SafeguardsLook>;
}

export interface SafeguardsLook {
  /** Why a safeguard pauses the plan, as a sentence; undefined when none does. */
  readonly pauseReason?: string | undefined;
  /** The safeguards that hold the flag, each with the reason as a sentence; null where its metric has no value. */
  readonly holding: ReadonlyMap<string, string | null>;
  /** Says which safeguards have no value because the Prometheus server failed, as sentences. */
  readonly failures: readonly string[];
  /** The gates that the safeguards are. */
  readonly gates: readonly LookedAt[];
}

/**
 * Starts a plan at `from` and lets it run until `to`, by the rules of stored plans, with the stored evaluations and
 * metrics. Approvals of a person count as given at once. Ends when a safeguard or too many halts pause the plan,
 * because only a person can resume it.
 *
 * It moves the plan with the functions that the job and the commands use, and owns only the loop over what comes first:
 * a second program that predicts plans would sooner or later disagree with the first. Quorum, cool-down and limits per
 * hour depend on earlier runs and are not rehearsed, so it can hold a flag where a guard would have refused.
 */
export async function rehearse(db: Db, plan: Plan, input: RehearsalInput): Promise<Rehearsal> {
  const run = new Run(db, plan, input);
  await run.toEnd();
  return run.result();
}

const minuteMs = 60_000;

/** A hold with when it began, in milliseconds UTC, and whether its cause is over. */
interface HeldSince extends PlanHold {
  readonly begun: number;
  readonly isResting?: boolean;
}

class Run {
  #plan: Plan;
  #holds: readonly HeldSince[] = [];
  readonly #steps: RehearsedStep[] = [];
  readonly #db: Db;
  readonly #input: RehearsalInput;
  #nextAction = 0;
  #nextLook: number;
  readonly #failures = new Set<string>();

  constructor(db: Db, plan: Plan, input: RehearsalInput) {
    this.#db = db;
    this.#input = input;
    const { from, everyMs } = input;
    this.#plan = startedAt({ ...plan, createdAt: from }, plan.activeMilestoneId, from, 'added');
    this.#nextLook = from + everyMs;
    this.#note(from, 'started', 'The plan starts.');
  }

  async toEnd(): Promise<void> {
    const { actions, to, everyMs } = this.#input;
    for (;;) {
      const action = actions[this.#nextAction];
      const ends = this.#holds.flatMap(({ until }) => until ?? []);
      const at = Math.min(action?.at ?? to, this.#plan.nextAt ?? to, this.#nextLook, ...ends, to);
      if (at >= to || this.#plan.pausedAt !== null) return;
      if (action?.at === at) {
        this.#nextAction++;
        this.#act(action);
      } else if (ends.includes(at)) this.#endHolds(at, (hold) => hold.until === at);
      else if (this.#plan.nextAt === at) await this.#progress(at);
      else {
        this.#nextLook += everyMs;
        await this.#guard(at);
      }
    }
  }

  async result(): Promise<Rehearsal> {
    const run = this.#plan.runningSince === null ? undefined : runOf(this.#plan, this.#input.to);
    const gates = run === undefined ? [] : await this.#lookAtGates(run, this.#input.to);
    return {
      plan: this.#plan,
      state: stateOf(this.#plan),
      steps: this.#steps.slice(0, maxSteps),
      truncated: this.#steps.length > maxSteps,
      waitsFor: gates.filter(({ isOpen }) => !isOpen),
    };
  }

  async #guard(at: number): Promise<void> {
    const { pauseReason, holding, failures } = await this.#input.lookAtSafeguards(this.#plan, at);
    for (const failure of failures) {
      if (!this.#failures.has(failure)) this.#note(at, 'no-data', failure);
      this.#failures.add(failure);
    }
    // A hold without data stays.
    this.#endHolds(at, ({ key, setId }) => setId === null && !holding.has(key));
    for (const [key, reason] of holding) {
      const hold = { key, setId: null, userId: 0, until: null, reason, rests: true };
      if (reason !== null) this.#hold(at, hold, reason);
    }
    if (pauseReason === undefined || this.#plan.stoppedBy !== null || this.#plan.pausedAt !== null) return;
    this.#plan = withTime({ ...this.#plan, pausedAt: at, pauseReason }, at);
    this.#note(at, 'paused', pauseReason);
  }

  #act(action: PlanAction): void {
    const { at, does, set } = action;
    if (does.type === 'hold') {
      const reason = does.hold.reason === null ? '' : `: ${does.hold.reason}`;
      this.#hold(at, does.hold, `${subjectOf(set)} holds the flag${reason}.`, action);
    } else if (does.type === 'release') this.#endHolds(at, does.ends, action);
    else this.#approve(action, does.milestone);
  }

  #hold(at: number, hold: PlanHold, text: string, by?: PlanAction): void {
    const isSame = ({ key, setId }: PlanHold) => key === hold.key && setId === hold.setId;
    const isFirst = this.#holds.length === 0;
    const before = this.#holds.find(isSame);
    // An alert that repeats does not delay the end of the rest, unless the hold rested.
    const begun = before === undefined || before.isResting === true ? at : before.begun;
    this.#holds = [...this.#holds.filter((other) => !isSame(other)), { ...hold, begun }];
    if (!isFirst) return;
    this.#plan = withTime(this.#plan, at, 'hold');
    this.#note(at, 'held', text, by);
    this.#goBackIfHaltedTooOften(at);
  }

  #goBackIfHaltedTooOften(at: number): void {
    const [first] = this.#plan.milestones;
    const reason = tooManyHalts(this.#plan);
    if (first === undefined || reason === undefined) return;
    this.#plan = withTime({ ...withStarted(this.#plan, first.id, at, 'halts'), pausedAt: at, pauseReason: reason }, at);
    this.#note(at, 'paused', reason);
  }

  /** Ends the holds for which `ends` returns true. When none remains, the milestone starts anew. */
  #endHolds(at: number, ends: (hold: PlanHold) => boolean, by?: PlanAction): void {
    const wasHeld = this.#holds.length > 0;
    this.#holds = this.#holds.flatMap((hold) => (ends(hold) ? this.#rested(hold, at) : hold));
    if (!wasHeld || this.#holds.length > 0) return;
    this.#plan = approvedByPerson(withTime(this.#plan, at, null), at);
    this.#note(at, 'released', 'The flag is no longer held. The milestone starts anew.', by);
  }

  /** Returns the hold until its milestone has rested; nothing when it has, or when the hold does not rest. */
  #rested(hold: HeldSince, at: number): readonly HeldSince[] {
    const restsUntil = hold.begun + (hold.rests ? this.#plan.restMinutes * minuteMs : 0);
    if (restsUntil <= at || hold.until === at) return [];
    return [{ ...hold, until: Math.min(hold.until ?? restsUntil, restsUntil), isResting: true }];
  }

  #approve(action: PlanAction, milestone: string | undefined): void {
    const { name, transitionCondition, approval } = activeMilestone(this.#plan);
    const isAsked = transitionCondition?.approval?.by === 'action' && approval === undefined;
    if (!isAsked || this.#plan.stoppedBy !== null || (milestone !== undefined && milestone !== name)) return;
    this.#plan = withApproval(this.#plan, 0, action.at);
    this.#note(action.at, 'approved', `${subjectOf(action.set)} approves the milestone.`, action);
  }

  async #progress(at: number): Promise<void> {
    const run = runOf(this.#plan, at);
    const next = milestoneAfter(this.#plan, this.#plan.activeMilestoneId);
    if (run === undefined || next === undefined) throw new Error('the rehearsed plan has no next milestone to start');
    const gates = await this.#lookAtGates(run, at);
    const closed = gates.filter(({ isOpen }) => !isOpen);
    if (closed.length > 0) {
      if (this.#plan.gatedAt === null) this.#note(at, 'gated', sentences(closed));
      this.#plan = { ...withLaterLook(this.#plan, at, 'closed'), nextAt: at + this.#input.everyMs };
      return;
    }
    this.#plan = startedAt(this.#plan, next.id, at, 'time');
    this.#note(at, 'started', gates.length === 0 ? 'The time at the milestone before is over.' : sentences(gates));
  }

  async #lookAtGates(run: MilestoneRun, at: number): Promise<LookedAt[]> {
    const { gates } = await this.#input.lookAtSafeguards(this.#plan, at);
    return [...(await lookAtGates(this.#db, run, at, this.#input.read)), ...gates];
  }

  #note(at: number, step: RehearsedStep['step'], text: string, by?: PlanAction): void {
    if (this.#steps.length > maxSteps) return;
    const milestone = activeMilestone(this.#plan);
    const milestoneOrder = this.#plan.milestones.indexOf(milestone);
    this.#steps.push({ at, step, milestone: milestone.name, milestoneOrder, text, by });
  }
}

function subjectOf({ name }: PlanAction['set']): string {
  return name === null ? 'An action' : `The action “${name}”`;
}

function startedAt(plan: Plan, milestoneId: string, at: number, trigger: StartTrigger): Plan {
  return approvedByPerson(withStarted(plan, milestoneId, at, trigger), at);
}

function approvedByPerson(plan: Plan, at: number): Plan {
  return activeMilestone(plan).transitionCondition?.approval?.by === 'person' ? withApproval(plan, 0, at) : plan;
}

function sentences(gates: readonly LookedAt[]): string {
  return gates.map(({ text }) => `${text}.`).join(' ');
}
