export type Engine = 'sqlite' | 'postgres';

/** The target of a row: its value, or its ratio to the floor. */
export interface Must {
  readonly of: 'value' | 'ratio';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One measurement of a scenario. */
export interface Finding {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The floor measured in the same run. */
  readonly floor?: { readonly name: string; readonly value: number };
  /**
   * The ratio of value to floor. Computed unless given; the median ratio of rounds is given, as it may differ from
   * value / floor.
   */
  readonly ratio?: number;
  /**
   * The least and the greatest ratio of the rounds. They lie far apart when other work on the machine disturbed the
   * rounds.
   */
  readonly range?: readonly [least: number, greatest: number];
  readonly must?: Must;
  /** More of the same measurement, for the results file: percentiles, rounds, status counts. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** One line of the report. */
export interface Row extends Finding {
  readonly engine: Engine | '-';
  /** True when the row reached its target; null without a target. */
  readonly ok: boolean | null;
  /** Share of the processors' time that other machines on the same hardware took while its scenario ran, 0 to 1. */
  readonly stolen?: number;
}

/**
 * Returns the row of a finding, with the verdict on its target. Throws if the target is a ratio and the finding has
 * none.
 */
export function toRow(finding: Finding, engine: Engine | undefined): Row {
  const ratio = finding.ratio ?? (finding.floor && finding.value / finding.floor.value);
  return {
    ...finding,
    ...(ratio === undefined ? {} : { ratio }),
    engine: engine ?? '-',
    ok: finding.must === undefined ? null : reached(finding, finding.must, ratio),
  };
}

function reached(finding: Finding, must: Must, ratio: number | undefined): boolean {
  const measured = must.of === 'ratio' ? ratio : finding.value;
  if (measured === undefined) throw new Error(`${finding.name} must reach a ratio but has no floor`);
  return (
    measured >= (must.atLeast ?? Number.NEGATIVE_INFINITY) && measured <= (must.atMost ?? Number.POSITIVE_INFINITY)
  );
}
