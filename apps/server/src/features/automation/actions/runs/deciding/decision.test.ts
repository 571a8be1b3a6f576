import { describe, expect, it } from 'vitest';
import { type FlagStop, rules, type Stop } from '#features/flags/automation-stops/index.ts';
import {
  automationOf,
  type Circumstances,
  type Decision,
  decide,
  type Ending,
  type Facts,
  findReason,
  isLookedFor,
  occasions,
  type Reason,
  type Result,
  type RunKind,
  reasons,
  results,
  runKinds,
} from './decision.ts';

// Every cell of what a run can come to. A new reason, result, kind of run or occasion does not compile without its
// cells.

type PerOccasion<Cell, All extends readonly unknown[] = typeof occasions> = { readonly [I in keyof All]: Cell };
/** `-`: the reason is not looked for. */
type Cells = Readonly<Record<RunKind, PerOccasion<Ending | '-'>>>;

const none = ['-', '-', '-', '-', '-'] as const;
const skippedOnSignals = ['is skipped', '-', '-', '-', '-'] as const;
const skipped = ['is skipped', 'is skipped', 'is skipped', 'is skipped', 'is skipped'] as const;
const waits = ['waits', 'is skipped', 'waits', 'waits', 'waits'] as const;
const withAlert = 'waits while the alert fires';
const waitsWithAlert = [withAlert, 'is skipped', withAlert, withAlert, withAlert] as const;
const asksOnSignals = ['waits for a person unless held', 'is skipped', '-', '-', '-'] as const;
const asksAfterWaits = ['waits for a person', '-', 'waits for a person', '-', '-'] as const;
const rights = 'waits for rights';

/** The endings of runs that are no shadows, by reason in the order of precedence: columns as in `occasions`. */
const cells: Readonly<Record<Exclude<Reason, 'shadow'>, Cells>> = {
  late: {
    hold: skippedOnSignals,
    'hold while the alert fires': skippedOnSignals,
    release: skippedOnSignals,
    change: skippedOnSignals,
  },
  'group fires': { hold: none, 'hold while the alert fires': none, release: skippedOnSignals, change: none },
  quorum: {
    hold: skippedOnSignals,
    'hold while the alert fires': skippedOnSignals,
    release: skippedOnSignals,
    change: skippedOnSignals,
  },
  hours: {
    hold: skippedOnSignals,
    'hold while the alert fires': skippedOnSignals,
    release: none,
    change: skippedOnSignals,
  },
  stop: {
    hold: asksOnSignals,
    'hold while the alert fires': asksOnSignals,
    release: ['waits', 'is skipped', '-', '-', '-'],
    change: ['is skipped', 'is skipped', '-', '-', '-'],
  },
  override: { hold: skipped, 'hold while the alert fires': skipped, release: waits, change: skipped },
  'repeated call': { hold: skipped, 'hold while the alert fires': skipped, release: skipped, change: skipped },
  'flags per hour': { hold: skipped, 'hold while the alert fires': waitsWithAlert, release: none, change: skipped },
  pace: { hold: skipped, 'hold while the alert fires': waitsWithAlert, release: waits, change: skipped },
  breaker: { hold: asksAfterWaits, 'hold while the alert fires': asksAfterWaits, release: none, change: none },
  'lacks rights': {
    hold: none,
    'hold while the alert fires': none,
    release: [rights, '-', rights, rights, rights],
    change: none,
  },
};

/** The rule for the holds of a run for a signal that holds flags, and whether the run counts as stopped by a guard. */
const holdsAndGuarded: Readonly<Record<Exclude<Reason, 'shadow'>, readonly [Decision['holds'], boolean]>> = {
  late: ['stay', false],
  'group fires': ['stay', false],
  quorum: ['are looked up', false],
  hours: ['are renewed', false],
  stop: ['are renewed', false],
  override: ['are renewed', true],
  'repeated call': ['are renewed', true],
  'flags per hour': ['are renewed', true],
  pace: ['are renewed', true],
  breaker: ['are renewed', true],
  'lacks rights': ['stay', false],
};

const kept: Readonly<Record<Ending, boolean>> = {
  'is skipped': false,
  waits: false,
  'waits while the alert fires': false,
  'waits for a person': false,
  'waits for a person unless held': false,
  'shows its result': false,
  'keeps its result': true,
  'goes on with its calls': true,
  'waits for rights': true,
};

const endingOfResult: Readonly<Record<Result, readonly [Ending, Decision['holds']]>> = {
  success: ['keeps its result', 'stay'],
  calls: ['goes on with its calls', 'stay'],
  'nothing to do': ['keeps its result', 'are renewed'],
  failed: ['keeps its result', 'are renewed'],
};

const order = Object.keys(reasons) as Reason[];
const stops: Readonly<Record<'stop' | 'override', readonly Stop[]>> = {
  stop: ['freeze', 'maintenance', 'endpoint disabled'],
  override: ['override' satisfies FlagStop],
};

function circumstances(isShadow: boolean): Circumstances[] {
  return runKinds.flatMap((kind) => occasions.map((occasion) => ({ occasion, kind, isShadow })));
}

/** Returns the facts of a run that a reason ends: several where the rules of several stops decide. */
function factsOf(reason: Reason, run: Circumstances): Facts[] {
  if (reason !== 'stop' && reason !== 'override') return [{ ...run, reason }];
  return stops[reason].flatMap((stop) => {
    const rule = rules[automationOf[run.kind]][stop];
    return rule === 'acts' ? [] : [{ ...run, reason, rule }];
  });
}

function isHoldForSignal({ occasion, kind }: Circumstances): boolean {
  return occasion === 'signal' && (kind === 'hold' || kind === 'hold while the alert fires');
}

describe('the decision about a run', () => {
  it.each(order.filter((reason) => reason !== 'shadow'))('that the reason %s ends is in the table', (reason) => {
    for (const run of circumstances(false)) {
      const cell = cells[reason][run.kind][occasions.indexOf(run.occasion)];
      expect(isLookedFor(reason, run), JSON.stringify(run)).toBe(cell !== '-');
      if (cell === undefined || cell === '-') continue;
      const [holds, guarded] = holdsAndGuarded[reason];
      const expected = { ending: cell, keeps: kept[cell], holds: isHoldForSignal(run) ? holds : 'stay', guarded };
      const facts = factsOf(reason, run);
      expect(facts.length).toBeGreaterThan(0);
      for (const fact of facts) expect(decide(fact), JSON.stringify(fact)).toEqual(expected);
    }
  });

  it.each(Object.keys(results) as Result[])('whose actions ended with %s is in the table', (result) => {
    for (const run of circumstances(false)) {
      const [ending, holds] = endingOfResult[result];
      const expected = { ending, keeps: true, holds: isHoldForSignal(run) ? holds : 'stay', guarded: false };
      expect(decide({ ...run, result }), JSON.stringify(run)).toEqual(expected);
    }
  });

  it('of a shadow keeps no change, never waits and renews no hold', () => {
    for (const run of circumstances(true)) {
      expect(isLookedFor('shadow', run)).toBe(true);
      for (const reason of order.slice(0, order.indexOf('shadow') + 1).filter((each) => isLookedFor(each, run)))
        for (const facts of factsOf(reason, run)) {
          const ending = reason === 'shadow' ? 'shows its result' : 'is skipped';
          expect(decide(facts), JSON.stringify(facts)).toMatchObject({ ending, keeps: false, holds: 'stay' });
        }
    }
  });
});

describe('the reason that decides', () => {
  const stages = {
    'on arrival': ['late', 'group fires'],
    'before acting': ['quorum', 'hours', 'stop'],
    'after acting': ['override', 'repeated call', 'flags per hour', 'pace', 'shadow', 'breaker', 'lacks rights'],
  } as const;

  /** Checks of all reasons, of which some hold, and the reasons that were looked for. */
  function checksFor(holding: readonly Reason[]) {
    const asked: Reason[] = [];
    const checks = Object.fromEntries(
      order.map((reason) => [
        reason,
        () => {
          asked.push(reason);
          return holding.includes(reason) ? `It is ${reason}.` : undefined;
        },
      ]),
    );
    return { asked, checks: checks as Parameters<typeof findReason>[1] };
  }

  it('is looked for stage by stage', () => {
    expect(order).toEqual(Object.values(stages).flat());
    for (const [stage, ofStage] of Object.entries(stages))
      for (const reason of ofStage) expect(reasons[reason].at).toBe(stage);
  });

  it('is the first of each two that hold, and nothing is read after it', async () => {
    const lists = Object.values(stages).flat();
    for (const run of circumstances(false))
      for (const [index, first] of lists.entries())
        for (const second of lists.slice(index)) {
          const { asked, checks } = checksFor([second, first]);
          const wanted = [first, second].find((reason) => isLookedFor(reason, run));
          const found = await findReason(run, checks);
          expect(found).toEqual(wanted && { reason: wanted, text: `It is ${wanted}.` });
          const before = lists.filter((reason) => isLookedFor(reason, run));
          expect(asked).toEqual(wanted === undefined ? before : before.slice(0, before.indexOf(wanted) + 1));
        }
  });
});
