import type { MatchPreview } from '../../entities/actions/action-queries.ts';

/** Returns whether filters match everything that was received: then they tell nothing apart. */
export function isAll({ matches, elements }: Pick<MatchPreview, 'matches' | 'elements'>): boolean {
  return elements > 1 && matches === elements;
}

/** Says which of the signals of the last day filters match, or of the elements of an array in them. */
export function matchText(preview: Omit<MatchPreview, 'since' | 'examples'>, forEach: string | null): string {
  const { signals, elements, matches, ended, truncated } = preview;
  const older = truncated ? ' Older ones were not read.' : '';
  if (signals === 0) return `No signal was received in the last day.${older}`;
  const received = signals === 1 ? 'The only signal' : `None of the ${signals} signals`;
  if (elements === 0)
    return `${received} of the last day ${signals === 1 ? 'has no' : 'has an'} element at ${forEach}.${older}`;
  const many = forEach === null ? 'signals' : `elements of ${forEach}`;
  const only = forEach === null ? 'the only signal' : `the only element of ${forEach}`;
  const ends = ended === 0 ? '' : ` ${ended} of the matches ${ended === 1 ? 'reports' : 'report'} the end of an alert.`;
  const rest = `received in the last day.${ends}${older}`;
  if (elements === 1) return `${matches === 0 ? 'Does not match' : 'Matches'} ${only} ${rest}`;
  const share = matches === 0 ? 'none of' : isAll(preview) ? 'all of the' : `${matches} of`;
  return `Matches ${share} ${elements} ${many} ${rest}`;
}
