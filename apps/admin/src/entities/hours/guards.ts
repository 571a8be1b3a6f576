import type { ActionSet, ActionSetBody } from '../actions/action-queries.ts';

type Guards = NonNullable<ActionSetBody['guards']>;
export type Hours = NonNullable<Guards['hours']>;

/** The value of a number input; an empty text for no number. */
export type NumberDraft = number | string;

/** The draft of the guards. A guard is off while its fields are empty. */
export interface GuardsDraft {
  readonly cooldownSeconds: NumberDraft;
  readonly flagsPerHour: NumberDraft;
  readonly quorumSignals: NumberDraft;
  readonly quorumTokens: NumberDraft;
  readonly quorumWithin: NumberDraft;
  readonly flappingChanges: NumberDraft;
  readonly flappingWithin: NumberDraft;
  /** Null when the set may run at all hours. */
  readonly hours: Hours | null;
}

/** The name of a field of the guards that holds a number. */
export type NumberGuard = Exclude<keyof GuardsDraft, 'hours'>;

/** The path that errors of the server have for each field. */
export const guardPaths = {
  cooldownSeconds: 'guards.cooldownSeconds',
  flagsPerHour: 'guards.flagsPerHour',
  quorumSignals: 'guards.quorum.signals',
  quorumTokens: 'guards.quorum.tokens',
  quorumWithin: 'guards.quorum.withinSeconds',
  flappingChanges: 'guards.flapping.changes',
  flappingWithin: 'guards.flapping.withinSeconds',
} as const satisfies Record<NumberGuard, string>;

/** Returns the draft of the guards. */
export function draftOfGuards(guards: ActionSet['guards'] | undefined): GuardsDraft {
  const { cooldownSeconds, flagsPerHour, quorum, flapping, hours } = (guards ?? {}) as Guards;
  return {
    cooldownSeconds: cooldownSeconds ?? '',
    flagsPerHour: flagsPerHour ?? '',
    quorumSignals: quorum?.signals ?? '',
    quorumTokens: quorum?.tokens ?? '',
    quorumWithin: quorum?.withinSeconds ?? '',
    flappingChanges: flapping?.changes ?? '',
    flappingWithin: flapping?.withinSeconds ?? '',
    hours: hours ?? null,
  };
}

/** Returns the request body of the guards that are on. */
export function bodyOfGuards(draft: GuardsDraft): Guards {
  const { cooldownSeconds, flagsPerHour, quorumSignals, quorumTokens, quorumWithin } = draft;
  const { flappingChanges, flappingWithin, hours } = draft;
  return {
    ...(isSet(cooldownSeconds) ? { cooldownSeconds: Number(cooldownSeconds) } : {}),
    ...(isSet(flagsPerHour) ? { flagsPerHour: Number(flagsPerHour) } : {}),
    ...([quorumSignals, quorumTokens, quorumWithin].some(isSet)
      ? {
          quorum: {
            signals: Number(quorumSignals),
            tokens: isSet(quorumTokens) ? Number(quorumTokens) : 1,
            withinSeconds: Number(quorumWithin),
          },
        }
      : {}),
    ...([flappingChanges, flappingWithin].some(isSet)
      ? { flapping: { changes: Number(flappingChanges), withinSeconds: Number(flappingWithin) } }
      : {}),
    ...(hours === null ? {} : { hours }),
  };
}

const needed = 'Required.';

/** Returns the missing fields of partly filled guards, by path. */
export function guardProblems(draft: GuardsDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  const requireAll = (...names: readonly NumberGuard[]) => {
    for (const name of names) if (!isSet(draft[name])) problems[guardPaths[name]] = needed;
  };
  const { quorumSignals, quorumTokens, quorumWithin, flappingChanges, flappingWithin } = draft;
  if ([quorumSignals, quorumTokens, quorumWithin].some(isSet)) requireAll('quorumSignals', 'quorumWithin');
  if ([flappingChanges, flappingWithin].some(isSet)) requireAll('flappingChanges', 'flappingWithin');
  if (draft.hours?.days.length === 0) problems['guards.hours.days'] = 'Select a day.';
  if (draft.hours !== null && draft.hours.from === draft.hours.to)
    problems['guards.hours.to'] = 'Must differ from the start.';
  return problems;
}

/** Returns whether a guard is on. */
export function anyGuard({ hours, ...numbers }: GuardsDraft): boolean {
  return hours !== null || Object.values(numbers).some(isSet);
}

function isSet(value: NumberDraft): boolean {
  return value !== '';
}
