import { takesList } from '@yardarm/evaluation';
import type { Filter, Filters } from './filter.ts';

/** The number of values of a filter that a text names. */
const maxValues = 3;

/** Returns filters as the end of a sentence: " where status = firing and labels.team not IN a, b"; empty for none. */
export function whereText(filters: Filters): string {
  const conditions = Object.entries(filters).map(([path, filter]) => `${path} ${conditionText(filter)}`);
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

function conditionText({ operator, inverted, values = [], value }: Filter): string {
  if (!takesList(operator)) return `${inverted === true ? 'not ' : ''}${operator} ${value}`;
  const more = values.length > maxValues ? ` and ${values.length - maxValues} more` : '';
  const listed = values.slice(0, maxValues).join(', ') + more;
  if (operator === 'IN' && inverted !== true && values.length === 1) return `= ${listed}`;
  return `${inverted === true ? 'not ' : ''}${operator} ${listed}`;
}
