import { stopFor } from '#features/flags/automation-stops/index.ts';
import { withRollback } from '#storage/rollback.ts';
import type { Tx } from '#storage/tx.ts';
import { whyBlocked } from '../../sets/index.ts';
import { type CurrentRun, causeOf } from '../deciding/current-run.ts';
import {
  automationOf,
  decide,
  type Ending,
  type Facts,
  type Found,
  findReason,
  type Result,
} from '../deciding/decision.ts';
import {
  changedTargets,
  checkBreaker,
  checkCallCooldown,
  checkFlagsPerHour,
  checkPace,
  findOverride,
  heldPlaces,
  saveEffects,
  type Target,
} from '../deciding/guards.ts';
import { askPerson } from '../deciding/undecided.ts';
import { notRun, type Outcome } from '../record/outcome.ts';
import { lookUpHolds, renewHolds, withStayingHolds } from './renew-holds.ts';
import { type RunContext, runActions } from './run-actions.ts';

/** The delay before a release is tried again that an override stops. */
const overriddenMs = 10_000;
/** The delay before a release is tried again when its service account lacked a permission. */
const blockedMs = 60_000;

/** The reason for which a run ends, and the result of its actions if they ran. */
type Ended = { readonly found: Found; readonly ran?: Outcome } | { readonly found: undefined; readonly ran: Outcome };

/** Runs the actions of a set, rolls them back if the decision says so, and returns the outcome. */
export async function act(tx: Tx, context: RunContext, run: CurrentRun): Promise<Outcome> {
  const { set, id, facts } = run;
  let effects: readonly Target[] = [];
  const ended = await withRollback<Ended>(tx, async (part, rollback) => {
    part.allowNoEvents('action runs');
    const before = part.recorded().length;
    const ran = await runActions(part, context, set, run.view, causeOf(tx, run), facts);
    const changes = ran.actions.flatMap((action) => action.changes);
    const targets = changedTargets(changes);
    const events = part.recorded().slice(before);
    const held = heldPlaces(events);
    const found = await findReason<'after acting'>(run, {
      override: async () => {
        const stop = stopFor(automationOf[run.kind], findOverride(await facts.overrides(part), changes));
        return stop && { text: stop.reason, rule: stop.rule, until: tx.now + overriddenMs };
      },
      'repeated call': () => checkCallCooldown(part, set, id, ran.actions),
      'flags per hour': () => checkFlagsPerHour(part, set, targets, held),
      pace: () => checkPace(part, set, targets, held),
      shadow: () => (run.isShadow ? 'The set is a shadow.' : undefined),
      breaker: () => checkBreaker(part, context.breaker, set, events),
      'lacks rights': () => (ran.state === 'failed' ? whyBlocked(part.db, set) : undefined),
    });
    const ended: Ended = { found, ran };
    if (!decide(factsOf(run, ended)).keeps) return rollback(ended);
    effects = targets;
    return ended;
  });
  if (effects.length > 0) tx.goOn(() => saveEffects(tx, set, id, effects));
  return end(tx, context, run, ended);
}

/** Ends a run: decides how, renews the holds that its set has already, and returns the outcome. */
export async function end(tx: Tx, context: RunContext, run: CurrentRun, ended: Ended): Promise<Outcome> {
  const { ending, holds, guarded } = decide(factsOf(run, ended));
  const looks = { stay: undefined, 'are looked up': lookUpHolds, 'are renewed': renewHolds }[holds];
  const hasAll = (await looks?.(tx, context, run)) === true;
  const outcome = outcomes[ending](tx, run, ended);
  const reported = guarded ? { ...outcome, guarded } : outcome;
  const asks = ending === 'waits for a person' || (ending === 'waits for a person unless held' && !hasAll);
  const decided = asks ? await askPerson(tx, context, run, reported) : reported;
  return hasAll ? withStayingHolds(decided) : decided;
}

/** Returns the facts that decide about a run. */
function factsOf(run: CurrentRun, { found, ran }: Ended): Facts {
  return found === undefined ? { ...run, result: resultOf(ran) } : { ...run, ...found };
}

function resultOf({ state, actions }: Outcome): Result {
  if (state === 'failed') return 'failed';
  if (state === 'skipped') return 'nothing to do';
  return actions.some(({ call }) => call !== null) ? 'calls' : 'success';
}

type OutcomeOf = (tx: Pick<Tx, 'now'>, run: CurrentRun, ended: Ended) => Outcome;

const skipped: OutcomeOf = (_tx, { set }, { found }) => notRun(set, 'skipped', found?.text ?? '');
const waiting: OutcomeOf = (tx, run, ended) => {
  return { ...skipped(tx, run, ended), state: 'waiting', waitsUntil: ended.found?.until ?? tx.now };
};
const result: OutcomeOf = (tx, run, ended) => ended.ran ?? skipped(tx, run, ended);

/** The outcome of a run by its ending, before a person is asked. */
const outcomes: Readonly<Record<Ending, OutcomeOf>> = {
  'is skipped': skipped,
  waits: waiting,
  'waits while the alert fires': (tx, run, ended) => ({ ...waiting(tx, run, ended), waitsFor: run.waitsFor ?? '' }),
  'waits for a person': skipped,
  'waits for a person unless held': skipped,
  'shows its result': result,
  'keeps its result': result,
  'goes on with its calls': (tx, run, ended) => ({ ...result(tx, run, ended), state: 'started' }),
  'waits for rights': (tx, run, ended) => {
    const reason = `${ended.found?.text} The release is tried again each minute.`;
    return { ...result(tx, run, ended), state: 'waiting', reason, blocked: true, waitsUntil: tx.now + blockedMs };
  },
};
