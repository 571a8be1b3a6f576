import type { ActionSet, ActionSetBody } from './action-queries.ts';

/** A number while it is typed; empty for none. */
export type NumberDraft = number | string;

/** The guards of a set while they are edited: each is off while its fields are empty. */
export interface GuardsDraft {
  readonly cooldownSeconds: NumberDraft;
  readonly flagsPerHour: NumberDraft;
  readonly quorumSignals: NumberDraft;
  readonly quorumTokens: NumberDraft;
  readonly quorumWithin: NumberDraft;
  readonly flappingChanges: NumberDraft;
  readonly flappingWithin: NumberDraft;
}

/** The path by which the server speaks of each field. */
export const guardPaths = {
  cooldownSeconds: 'guards.cooldownSeconds',
  flagsPerHour: 'guards.flagsPerHour',
  quorumSignals: 'guards.quorum.signals',
  quorumTokens: 'guards.quorum.tokens',
  quorumWithin: 'guards.quorum.withinSeconds',
  flappingChanges: 'guards.flapping.changes',
  flappingWithin: 'guards.flapping.withinSeconds',
} as const satisfies Record<keyof GuardsDraft, string>;

type Guards = NonNullable<ActionSetBody['guards']>;

/** The guards of a set, to be edited. */
export function draftOfGuards(guards: ActionSet['guards'] | undefined): GuardsDraft {
  const { cooldownSeconds, flagsPerHour, quorum, flapping } = (guards ?? {}) as Guards;
  return {
    cooldownSeconds: cooldownSeconds ?? '',
    flagsPerHour: flagsPerHour ?? '',
    quorumSignals: quorum?.signals ?? '',
    quorumTokens: quorum?.tokens ?? '',
    quorumWithin: quorum?.withinSeconds ?? '',
    flappingChanges: flapping?.changes ?? '',
    flappingWithin: flapping?.withinSeconds ?? '',
  };
}

/** What is sent of the guards: those that are on. */
export function bodyOfGuards(draft: GuardsDraft): Guards {
  const { cooldownSeconds, flagsPerHour, quorumSignals, quorumTokens, quorumWithin } = draft;
  const { flappingChanges, flappingWithin } = draft;
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
  };
}

const needed = 'This is needed.';

/** What is missing of a guard that is half told, by the path that the server would name. */
export function guardProblems(draft: GuardsDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  const together = (...names: readonly (keyof GuardsDraft)[]) => {
    for (const name of names) if (!isSet(draft[name])) problems[guardPaths[name]] = needed;
  };
  const { quorumSignals, quorumTokens, quorumWithin, flappingChanges, flappingWithin } = draft;
  if ([quorumSignals, quorumTokens, quorumWithin].some(isSet)) together('quorumSignals', 'quorumWithin');
  if ([flappingChanges, flappingWithin].some(isSet)) together('flappingChanges', 'flappingWithin');
  return problems;
}

function isSet(value: NumberDraft): boolean {
  return value !== '';
}
