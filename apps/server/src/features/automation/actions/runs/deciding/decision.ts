import type { AutomationKind, Rule } from '#features/flags/automation-stops/index.ts';

/** The occasions of runs: a signal, a replay by a person, the end of a wait, or the decision of a person. */
export const occasions = ['signal', 'replay', 'waiting hold', 'waiting release', 'person'] as const;

export type Occasion = (typeof occasions)[number];

/** The kinds of runs, by what their actions do. */
export const runKinds = [
  /** Holds flags, and may do more. */
  'hold',
  /** Only holds flags, and its set releases them when the alert ends. */
  'hold while the alert fires',
  /** Only returns flags to their configured state. */
  'release',
  /** Any other run. */
  'change',
] as const;

export type RunKind = (typeof runKinds)[number];

/** The kind of automation that a kind of run is: stops concern them differently. */
export const automationOf = {
  hold: 'hold by an action',
  'hold while the alert fires': 'hold by an action',
  release: 'release by an action',
  change: 'change by an action',
} as const satisfies Readonly<Record<RunKind, AutomationKind>>;

/**
 * How runs end, and whether an ending keeps what the actions changed. `otherwise` is the ending of a run that may not
 * wait: one that a person replays, or that only shows what it would do.
 */
export const endings = {
  'is skipped': { keeps: false },
  /** Is tried again at a time. */
  waits: { keeps: false, otherwise: 'is skipped' },
  /** Is tried again at a time, and is skipped when its alert ends before. */
  'waits while the alert fires': { keeps: false, otherwise: 'is skipped' },
  'waits for a person': { keeps: false, otherwise: 'is skipped' },
  /** Waits for a person, unless its set has all holds that the run asks for: then it is skipped. */
  'waits for a person unless held': { keeps: false, otherwise: 'is skipped' },
  /** The result of the actions is recorded, and they are rolled back. */
  'shows its result': { keeps: false },
  'keeps its result': { keeps: true },
  /** The run goes on until its calls have ended. */
  'goes on with its calls': { keeps: true },
  /** A failed release is tried again, because its service account may have its rights then. */
  'waits for rights': { keeps: true, otherwise: 'keeps its result' },
} as const satisfies Readonly<Record<string, { readonly keeps: boolean; readonly otherwise?: string }>>;

export type Ending = keyof typeof endings;

/** The rule for the holds that a run asks for and that its set has already. They are renewed for signals only. */
export type HoldsRule = 'stay' | 'are looked up' | 'are renewed';

/**
 * When a reason is looked for. After its arrival, a signal replaces the runs that wait to hold flags for its alert. The
 * last reasons need what the actions did, behind a savepoint.
 */
type Stage = 'on arrival' | 'before acting' | 'after acting';

interface Row {
  readonly at: Stage;
  readonly on: readonly Occasion[];
  /** The kinds of runs that the reason ends; absent for all. */
  readonly of?: readonly RunKind[];
  /** The ending, by the kind of the run or by the rule of the stop. */
  readonly ends: Ending | Readonly<Record<RunKind, Ending>> | Readonly<Record<StopRule, Ending>>;
  readonly holds: HoldsRule;
  /** True when the run is reported as stopped by a guard or an override. */
  readonly guarded?: true;
}

type StopRule = Exclude<Rule, 'acts'>;

const holding = ['hold', 'hold while the alert fires'] as const;
const acting = [...holding, 'change'] as const;

/** A set that has to slow down: what ends with its alert is tried again, what is asked for once is not lost. */
const pauses = {
  hold: 'is skipped',
  'hold while the alert fires': 'waits while the alert fires',
  release: 'waits',
  change: 'is skipped',
} as const;

/** Reasons why a run does not simply act, in order of precedence: the first that holds decides. */
export const reasons = {
  /** The alert has ended, and the signal is a late report about it. */
  late: { at: 'on arrival', on: ['signal'], ends: 'is skipped', holds: 'stay' },
  /** The alert is over, but others of its group fire. */
  'group fires': { at: 'on arrival', on: ['signal'], of: ['release'], ends: 'is skipped', holds: 'stay' },
  /** Too few signals came. A signal below the quorum renews no holds, and says whether they exist. */
  quorum: { at: 'before acting', on: ['signal'], ends: 'is skipped', holds: 'are looked up' },
  /** It is outside the hours of the set. Releases have no hours. */
  hours: { at: 'before acting', on: ['signal'], of: acting, ends: 'is skipped', holds: 'are renewed' },
  /** All automation is stopped, or the endpoint is disabled. */
  stop: {
    at: 'before acting',
    on: ['signal', 'replay'],
    ends: {
      lowers: 'is skipped',
      waits: 'waits',
      'waits for a person': 'waits for a person unless held',
      'is skipped': 'is skipped',
    },
    holds: 'are renewed',
  },
  /** An override keeps automation off a flag. A person is asked when the override ends. */
  override: {
    at: 'after acting',
    on: occasions,
    ends: { lowers: 'is skipped', waits: 'waits', 'waits for a person': 'is skipped', 'is skipped': 'is skipped' },
    holds: 'are renewed',
    guarded: true,
  },
  /** The set made the same call within its cool-down. */
  'repeated call': { at: 'after acting', on: occasions, ends: 'is skipped', holds: 'are renewed', guarded: true },
  /** The set would change or hold too many flags in an hour. Releases are not counted. */
  'flags per hour': {
    at: 'after acting',
    on: occasions,
    of: acting,
    ends: pauses,
    holds: 'are renewed',
    guarded: true,
  },
  /** The cool-down of the set has not passed, or actions change a flag too often. */
  pace: { at: 'after acting', on: occasions, ends: pauses, holds: 'are renewed', guarded: true },
  /** The set only shows what it would do. */
  shadow: { at: 'after acting', on: occasions, ends: 'shows its result', holds: 'stay' },
  /** The set would begin to hold too many flags without a decision. */
  breaker: {
    at: 'after acting',
    on: ['signal', 'waiting hold'],
    of: holding,
    ends: 'waits for a person',
    holds: 'are renewed',
    guarded: true,
  },
  /** A release failed because its set is blocked. Its sender reports the end of an alert once. */
  'lacks rights': {
    at: 'after acting',
    on: ['signal', 'waiting hold', 'waiting release', 'person'],
    of: ['release'],
    ends: 'waits for rights',
    holds: 'stay',
  },
} as const satisfies Readonly<Record<string, Row>>;

export type Reason = keyof typeof reasons;

type ReasonAt<S extends Stage> = { [R in Reason]: (typeof reasons)[R]['at'] extends S ? R : never }[Reason];

/** The results of the actions of a run, with the endings of the run. */
export const results = {
  success: { ends: 'keeps its result', holds: 'stay' },
  /** All succeeded, and calls are queued. */
  calls: { ends: 'goes on with its calls', holds: 'stay' },
  'nothing to do': { ends: 'keeps its result', holds: 'are renewed' },
  failed: { ends: 'keeps its result', holds: 'are renewed' },
} as const satisfies Readonly<Record<string, { readonly ends: Ending; readonly holds: HoldsRule }>>;

export type Result = keyof typeof results;

/** The circumstances of a run, before anything is read. */
export interface Circumstances {
  readonly occasion: Occasion;
  readonly kind: RunKind;
  readonly isShadow: boolean;
}

/** A reason that holds, in words. */
export interface Finding {
  readonly text: string;
  /** The rule of the stop. */
  readonly rule?: StopRule;
  /** The time at which the run is tried again, in milliseconds UTC. */
  readonly until?: number;
}

/** Returns what it finds, or only its text; undefined when the reason does not hold. */
type Check = () => Answer | Promise<Answer>;
type Answer = Finding | string | undefined;

export type Found = Finding & { readonly reason: Reason };

/** The facts about a run. Without a reason, its actions ran with a result. */
export type Facts = Circumstances &
  (
    | { readonly reason: Reason; readonly rule?: StopRule }
    | { readonly reason?: undefined; readonly rule?: undefined; readonly result: Result }
  );

export interface Decision {
  readonly ending: Ending;
  /** Whether the changes of the actions stay. */
  readonly keeps: boolean;
  readonly holds: HoldsRule;
  readonly guarded: boolean;
}

/** Returns whether a reason can end such a run. */
export function isLookedFor(reason: Reason, { occasion, kind }: Circumstances): boolean {
  const { on, of = runKinds }: Row = reasons[reason];
  return on.includes(occasion) && of.includes(kind);
}

/**
 * Returns the first reason of a stage that holds. The checks are made in the order of precedence, and none after the
 * first that finds something, so that a run reads no more than its decision needs.
 */
export async function findReason<S extends Stage>(
  run: Circumstances,
  checks: Readonly<Record<ReasonAt<S>, Check>>,
): Promise<Found | undefined> {
  for (const reason of Object.keys(reasons) as Reason[]) {
    if (!(reason in checks) || !isLookedFor(reason, run)) continue;
    const finding = await checks[reason as ReasonAt<S>]();
    if (finding !== undefined) return { ...(typeof finding === 'string' ? { text: finding } : finding), reason };
  }
  return undefined;
}

/** Decides how a run ends, whether its changes stay, and what becomes of the holds that its set has already. */
export function decide(facts: Facts): Decision {
  const { occasion, kind, isShadow } = facts;
  const row: Pick<Row, 'ends' | 'holds' | 'guarded'> =
    facts.reason === undefined ? results[facts.result] : reasons[facts.reason];
  const ending = mayWait(facts) ? endingOf(row, facts) : withoutWaiting(endingOf(row, facts));
  const renews = occasion === 'signal' && !isShadow && automationOf[kind] === 'hold by an action';
  const { keeps } = endings[ending];
  return { ending, keeps, holds: renews ? row.holds : 'stay', guarded: row.guarded === true };
}

function endingOf({ ends }: Pick<Row, 'ends'>, { kind, rule = 'is skipped' }: Facts): Ending {
  if (typeof ends === 'string') return ends;
  return 'change' in ends ? ends[kind] : ends[rule];
}

function mayWait({ occasion, isShadow }: Circumstances): boolean {
  return occasion !== 'replay' && !isShadow;
}

function withoutWaiting(ending: Ending): Ending {
  const { otherwise = ending }: { readonly keeps: boolean; readonly otherwise?: Ending } = endings[ending];
  return otherwise;
}
