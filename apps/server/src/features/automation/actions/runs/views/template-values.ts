import { alertOf, conditionOf, formerView, type PayloadView, type RunValues } from '../../matching/index.ts';
import type { ActionSet } from '../../sets/index.ts';
import type { TemplateValues } from './parameters.ts';

/** The addresses of the pages of runs. */
export interface RunLinks {
  readonly runUrl: (runId: number) => string;
}

/** Returns the values of a run for templates. A dry run has the id 0. */
export function runValues({ runUrl }: RunLinks, id = 0): RunValues {
  return { id, url: runUrl(id) };
}

/**
 * Returns the values with which a set runs for a view. A set that also releases its holds needs one hold for each
 * alert: the condition, which is the fingerprint of the alert, tells them apart.
 */
export function templateValues(
  { releaseFilters }: Pick<ActionSet, 'releaseFilters'>,
  view: PayloadView,
  run: RunValues,
): TemplateValues {
  const conditionFor = (seen: PayloadView) => (releaseFilters === null ? undefined : conditionOf(seen));
  const before = formerView(view);
  return {
    payload: view.payload,
    run,
    condition: conditionFor(view),
    alert: alertOf(view),
    former: before && { payload: before.payload, condition: conditionFor(before) },
  };
}
