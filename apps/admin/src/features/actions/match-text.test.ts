import { expect, it } from 'vitest';
import { isAll, matchText } from './match-text.ts';

const of = (signals: number, elements: number, matches: number, ended = 0, truncated = false) => {
  return { signals, elements, matches, ended, truncated };
};

it.each([
  [of(0, 0, 0), null, 'No signal was received in the last day.'],
  [of(3, 3, 0), null, 'Matches none of 3 signals received in the last day.'],
  [of(3, 3, 2), null, 'Matches 2 of 3 signals received in the last day.'],
  [of(3, 3, 3), null, 'Matches all of the 3 signals received in the last day.'],
  [of(1, 1, 1), null, 'Matches the only signal received in the last day.'],
  [of(1, 1, 0), null, 'Does not match the only signal received in the last day.'],
  [of(2, 0, 0), 'alerts', 'None of the 2 signals of the last day has an element at alerts.'],
  [of(1, 0, 0), 'alerts', 'The only signal of the last day has no element at alerts.'],
  [
    of(9, 40, 40, 20, true),
    'alerts',
    'Matches all of the 40 elements of alerts received in the last day. 20 of the matches report the end of an alert. Older ones were not read.',
  ],
  [
    of(2, 5, 1, 1),
    'alerts',
    'Matches 1 of 5 elements of alerts received in the last day. 1 of the matches reports the end of an alert.',
  ],
])('%o of %s reads: %s', (preview, forEach, text) => {
  expect(matchText(preview, forEach)).toBe(text);
});

it('a filter that matches everything stands out, unless there is one signal only', () => {
  expect([of(9, 40, 40), of(9, 40, 39), of(1, 1, 1), of(0, 0, 0)].map(isAll)).toEqual([true, false, false, false]);
});
