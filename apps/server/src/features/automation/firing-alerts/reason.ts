import { droppedBy, type ListeningSet, type RunOutcome, type SignalRun } from '#features/automation/actions/index.ts';
import { overriddenText } from '#features/flags/automation-stops/index.ts';
import { timeText } from '#kernel/clock.ts';
import type { EndedHold, FiringAlert, HoldOfSet } from './queries.ts';

/** Why an alert has no effect, with the run or the set that decided, if one did. */
export interface NoEffect {
  readonly reason: string;
  readonly project: string | null;
  readonly actionSetId: number | null;
  readonly runId: number | null;
  /** Whether a person caused it: with an override, or by releasing the hold or dropping the run. */
  readonly byPerson: boolean;
  /** Whether a run of the alert waits, for a guard or for a person, which people were told of. */
  readonly waits: boolean;
}

/** The data that decides about the effect of one alert. */
export interface AlertFacts {
  readonly alert: FiringAlert;
  /** The sets that listen to the endpoint of the alert. */
  readonly sets: readonly ListeningSet[];
  /** The last handled signal of the endpoint. */
  readonly handledUpTo: number;
  /** The runs for the latest signal of the alert, newest first. */
  readonly runs: readonly SignalRun[];
  /** The outcomes of the runs for which {@link needsOutcome} is true, by their ids. */
  readonly outcomes: ReadonlyMap<number, RunOutcome>;
  /** The holds of the sets that ran. */
  readonly holds: readonly HoldOfSet[];
  /** The holds of sets that have ended, newest first. */
  readonly ended: readonly EndedHold[];
}

/** Returns why an alert has no effect; undefined when it has one, or when its signal has not been handled yet. */
export function whyWithoutEffect(facts: AlertFacts): NoEffect | undefined {
  const { alert, runs } = facts;
  const own = runs.filter(({ element }) => element === null || alert.element === null || element === alert.element);
  if (own.some((run) => hasEffect(facts, run))) return undefined;
  const run = own.find(({ state }) => state === 'failed') ?? own.find(({ shadow }) => !shadow) ?? own[0];
  return run === undefined ? whyWithoutRun(facts) : whyWithoutHold(facts, run);
}

/**
 * Returns whether the outcome of a run must be read to decide about its effect. Not needed when the run changed nothing
 * and each alert has a hold of its own, which the fingerprint of the alert identifies.
 */
export function needsOutcome(run: SignalRun): boolean {
  return mayHaveEffect(run) && (run.state === 'success' || !run.holdsForAlert);
}

/** Returns whether a run can have an effect: a failed run and one in shadow mode have none. */
function mayHaveEffect({ shadow, state }: Pick<SignalRun, 'shadow' | 'state'>): boolean {
  return !shadow && state !== 'failed';
}

function hasEffect(facts: AlertFacts, run: SignalRun): boolean {
  if (!mayHaveEffect(run)) return false;
  if (run.state === 'started') return true;
  const { called, changes } = outcomeOf(facts, run);
  const acted = called || changes.some(({ type }) => !isOfHold(type));
  return (run.state === 'success' && acted) || holdsFor(facts, run).length > 0;
}

function outcomeOf({ outcomes }: AlertFacts, { id }: SignalRun): RunOutcome {
  return outcomes.get(id) ?? { changes: [], called: false, holdsStay: false };
}

/** Returns whether an event type is about a hold, or about the effective state that follows from holds. */
function isOfHold(type: string): boolean {
  return type.startsWith('feature-lease-') || type === 'feature-effective-state-changed';
}

/**
 * Returns the holds of a run's set that apply to an alert: those on the flags that the run held (on all flags when it
 * only renewed holds, because then it recorded none) and, if each alert has a hold of its own, with the fingerprint of
 * the alert.
 */
function holdsFor(facts: AlertFacts, run: SignalRun): HoldOfSet[] {
  const { alert, holds } = facts;
  const { holdsForAlert } = run;
  const { changes, holdsStay } = outcomeOf(facts, run);
  // A stopped run holds nothing, unless its holds exist from earlier runs or each alert has a hold of its own.
  if (run.state !== 'success' && !holdsStay && !holdsForAlert) return [];
  const named = changes.filter(({ type }) => type.startsWith('feature-lease-'));
  return holds.filter(
    ({ actionSetId, key, featureName, environment }) =>
      actionSetId === run.actionSetId &&
      (!holdsForAlert || key === alert.fingerprint) &&
      (named.length === 0 ||
        named.some((change) => change.featureName === featureName && change.environment === environment)),
  );
}

function whyWithoutHold(facts: AlertFacts, run: SignalRun): NoEffect {
  const { project, actionSetId, id: runId } = run;
  const reason = reasonOf(facts, run);
  return { project, actionSetId, runId, reason, byPerson: isByPerson(facts, run), waits: run.state === 'waiting' };
}

function isByPerson(facts: AlertFacts, run: SignalRun): boolean {
  if (!mayHaveEffect(run)) return false;
  const { reason } = run;
  if (reason !== null) return [overriddenText, droppedBy].some((text) => reason.startsWith(text));
  return endedFor(facts, run).some(({ by }) => by?.kind === 'person');
}

/** Returns the holds of a run's set for an alert that ended since its latest signal, newest first. */
function endedFor(facts: AlertFacts, run: SignalRun): EndedHold[] {
  const { alert, ended } = facts;
  return ended.filter(
    (hold) =>
      hold.actionSetId === run.actionSetId &&
      (!run.holdsForAlert || hold.key === alert.fingerprint) &&
      hold.endedAt >= alert.lastAt,
  );
}

function reasonOf(facts: AlertFacts, run: SignalRun): string {
  const { name, shadow, reason, state } = run;
  if (shadow) return `The action ${name} is in shadow mode: it records what it would do and changes nothing.`;
  if (state === 'failed') return `The action ${name} failed: ${reason ?? 'see its run.'}`;
  if (reason !== null)
    return `The action ${name} ${state === 'waiting' ? 'has not acted yet' : 'did nothing'}: ${reason}`;
  return `The action ${name} ${howEnded(endedFor(facts, run)[0])}`;
}

/**
 * Returns how a hold ended, as a part of a sentence. `hold` is undefined when the event was deleted or is too old to be
 * read.
 */
function howEnded(hold: EndedHold | undefined): string {
  if (hold === undefined) return 'held a flag, and the hold has ended.';
  const { featureName, environment, by, endedAt } = hold;
  const held = `held ${featureName} in ${environment}, and the hold has ended`;
  const at = timeText(endedAt);
  if (by === null) return `${held}: its time was over at ${at}.`;
  if (by.kind === 'person') return `${held}: ${by.name} released it at ${at}.`;
  const action = by.actionSetName === null ? 'a deleted action' : `the action ${by.actionSetName}`;
  return `${held}: ${action} released it in run ${by.runId} at ${at}.`;
}

function whyWithoutRun({ alert, sets, handledUpTo }: AlertFacts): NoEffect | undefined {
  const none = { project: null, actionSetId: null, runId: null, byPerson: false, waits: false };
  const enabled = sets.filter((set) => set.enabled);
  const listening = enabled.filter(({ sinceSignalId }) => sinceSignalId < alert.signalId);
  if (listening.length > 0 && handledUpTo < alert.signalId) return undefined;
  const [first] = sets;
  if (first === undefined) return { ...none, reason: `No action listens to ${alert.endpoint}.` };
  if (listening.length > 0) {
    const names = nameSome(listening);
    return { ...none, reason: `No action matches: the filters of ${names} do not let this alert pass.` };
  }
  const [set] = enabled;
  const shown = set ?? first;
  const ofSet = { ...none, project: shown.project, actionSetId: shown.id };
  return set === undefined
    ? { ...ofSet, reason: `${nameSome(sets)} ${sets.length === 1 ? 'is' : 'are'} switched off.` }
    : { ...ofSet, reason: `${nameSome(enabled)} began to listen after this alert came.` };
}

const maxNamed = 3;

function nameSome(sets: readonly ListeningSet[]): string {
  const names = sets.slice(0, maxNamed).map(({ name }) => name);
  const more = sets.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(' and ');
}
