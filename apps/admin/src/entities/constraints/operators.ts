import { fitsField, type Operator, operatorNames, operators, type ValueKind } from '@yardarm/evaluation/operators';

/** The words for an operator in a description, and for its negation: "country is one of NL, BE". */
export const operatorWords: Readonly<Record<Operator, { readonly words: string; readonly opposite: string }>> = {
  IN: { words: 'is one of', opposite: 'is none of' },
  NOT_IN: { words: 'is none of', opposite: 'is one of' },
  STR_STARTS_WITH: { words: 'starts with', opposite: 'does not start with' },
  STR_ENDS_WITH: { words: 'ends with', opposite: 'does not end with' },
  STR_CONTAINS: { words: 'contains', opposite: 'does not contain' },
  REGEX: { words: 'matches the pattern', opposite: 'does not match the pattern' },
  NUM_EQ: { words: 'equals', opposite: 'does not equal' },
  NUM_GT: { words: 'is greater than', opposite: 'is not greater than' },
  NUM_GTE: { words: 'is at least', opposite: 'is not at least' },
  NUM_LT: { words: 'is less than', opposite: 'is not less than' },
  NUM_LTE: { words: 'is at most', opposite: 'is not at most' },
  DATE_AFTER: { words: 'is after', opposite: 'is not after' },
  DATE_BEFORE: { words: 'is before', opposite: 'is not before' },
  SEMVER_EQ: { words: 'is version', opposite: 'is not version' },
  SEMVER_GT: { words: 'is a version above', opposite: 'is no version above' },
  SEMVER_GTE: { words: 'is at least version', opposite: 'is not at least version' },
  SEMVER_LT: { words: 'is a version below', opposite: 'is no version below' },
  SEMVER_LTE: { words: 'is at most version', opposite: 'is not at most version' },
  IN_CIDR: { words: 'is in the network', opposite: 'is not in the network' },
};

const groups = ['List', 'Text', 'Number', 'Date', 'Version', 'Network'] as const;

/** The menu group of each kind of value. */
const groupOf: Readonly<Record<ValueKind, (typeof groups)[number]>> = {
  item: 'List',
  text: 'Text',
  pattern: 'Text',
  number: 'Number',
  date: 'Date',
  version: 'Version',
  network: 'Network',
};

/** Returns operators as options of a select input, grouped by the kind of their values. */
export function operatorChoices(names: readonly Operator[] = operatorNames) {
  return groups
    .map((group) => ({
      group,
      items: names
        .filter((name) => groupOf[operators[name].kind] === group)
        .map((name) => ({ value: name as string, label: operatorWords[name].words })),
    }))
    .filter(({ items }) => items.length > 0);
}

/**
 * Returns the operators that can test a context field, and `chosen`, which a constraint saved by an earlier version may
 * have. Before a field is named, all can.
 */
export function operatorsFor(contextName: string, chosen: Operator): readonly Operator[] {
  return operatorNames.filter((name) => contextName === '' || name === chosen || fitsField(name, contextName));
}

/** Returns `chosen` when it can test the context field, and otherwise the first operator that can. */
export function operatorFor(contextName: string, chosen: Operator): Operator {
  if (contextName === '' || fitsField(chosen, contextName)) return chosen;
  return operatorNames.find((name) => fitsField(name, contextName)) ?? chosen;
}

/** Returns what is wrong with the operator of a context field, for the form; undefined when they fit. */
export function fitProblem(contextName: string, name: Operator): string | undefined {
  if (contextName === '' || fitsField(name, contextName)) return undefined;
  return operators[name].tests === 'the time'
    ? `Compares the time of the evaluation, not ${contextName}. Select another operator, or the field currentTime.`
    : `Finds no value in ${contextName} in most SDKs. Select “is after” or “is before”.`;
}

/**
 * Returns whether the editors show the switch that ignores case. Some SDKs compare case for `IN` and `NOT_IN` in spite
 * of the switch, so these operators show it only while it is on, to switch it off.
 */
export function showsIgnoringCase(name: Operator, isOn: boolean): boolean {
  const { caseInsensitive } = operators[name];
  return caseInsensitive === 'all SDKs' || (caseInsensitive === 'some SDKs' && isOn);
}
