import { EvaluationBudget } from '@yardarm/evaluation';
import { compileFilters, type Filters } from '#features/platform/payload-filters/index.ts';
import { isSilence } from '#features/signals/signals/index.ts';
import { textAt } from '#kernel/payload-path.ts';
import type { Db } from '#storage/tx.ts';
import { type PayloadView, payloadViews } from '../matching/index.ts';
import { newestSignals } from './stored-signals.ts';

// The form asks while the user types, so the work of one request is bounded, whatever is stored.
const maxSignals = 1000;
/** The number of signals that are read at once: each may have a megabyte. */
const pageSize = 10;
const maxCharacters = 8 * 1024 * 1024;
const maxElements = 20_000;
/** At most about 600 ms of work. */
const maxUnits = 10_000_000;
const maxExamples = 5;

/** An element of a stored signal, or a whole one, that passes filters. */
export interface MatchExample {
  readonly signalId: number;
  readonly createdAt: number;
  readonly element: number | null;
  /** The title of its alert; null when its source is not known. */
  readonly title: string | null;
}

/** The stored signals of an endpoint, and the number of those that filters match. */
export interface MatchPreview {
  /** The signals that were read, the newest first. */
  readonly signals: number;
  /** The elements of their arrays, or the signals where the filters read whole payloads. */
  readonly elements: number;
  readonly matches: number;
  /** The matches that report the end of an alert. */
  readonly ended: number;
  /** Whether older signals were left out, because the limit of the work was reached. */
  readonly truncated: boolean;
  /** The newest matches. */
  readonly examples: readonly MatchExample[];
}

/** Counts which of the newest signals of senders, or of their elements, pass filters. It only reads. */
export async function previewMatches(
  db: Db,
  {
    endpointId,
    filters,
    forEach,
  }: { readonly endpointId: number; readonly filters: Filters; readonly forEach: string | null },
  since: number,
): Promise<MatchPreview> {
  const exhausted = { is: false };
  const budget = new EvaluationBudget({ request: maxUnits, flag: maxUnits }, () => {
    exhausted.is = true;
  });
  const test = compileFilters(filters, budget);
  const examples: MatchExample[] = [];
  let [signals, characters, elements, matches, ended] = [0, 0, 0, 0, 0];
  const counted = (truncated: boolean) => ({ signals, elements, matches, ended, truncated, examples });
  for await (const signal of newestSignals(db, endpointId, since, { pageSize })) {
    if (isSilence(signal)) continue;
    characters += signal.characters;
    const views = payloadViews(signal.payload, forEach);
    if (signals === maxSignals || characters > maxCharacters || elements + views.length > maxElements)
      return counted(true);
    const passing = views.filter(({ payload }) => test(payload).every(({ passes }) => passes));
    // Filters that were skipped for want of budget did not pass.
    if (exhausted.is) return counted(true);
    signals++;
    elements += views.length;
    matches += passing.length;
    ended += passing.filter((view) => fieldOf(view, 'state') === 'resolved').length;
    for (const view of passing.slice(0, maxExamples - examples.length))
      examples.push({
        ...{ signalId: signal.id, createdAt: signal.createdAt, element: view.element },
        title: fieldOf(view, 'title') ?? textAt(view.payload, 'normalized.title') ?? null,
      });
  }
  return counted(false);
}

/** Returns what the source of the endpoint recognised of the alert of a view. */
function fieldOf({ payload, element }: PayloadView, field: 'state' | 'title'): string | undefined {
  return textAt(payload, element === null ? `normalized.${field}` : `normalized.elements[${element}].${field}`);
}
