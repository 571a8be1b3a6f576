/** The ways in which a person stops automation. */
export const stops = ['freeze', 'maintenance', 'override', 'endpoint disabled'] as const;

export type Stop = (typeof stops)[number];

/** A stop of a flag, whatever automation wants to change it. */
export type FlagStop = Exclude<Stop, 'endpoint disabled'>;

/** The kinds of automation: each changes flags, plans or holds by itself, without a request of a person. */
export type AutomationKind =
  /** The run of an action set that holds flags. */
  | 'hold by an action'
  /** Such a run that a guard stopped, and that is tried again while its alert fires. */
  | 'waiting hold'
  /** The run of an action set that gives back what it held. */
  | 'release by an action'
  /** Any other run of an action set, such as the approval of a milestone. */
  | 'change by an action'
  /** The request that a run makes to another service, with its retries. */
  | 'call by an action'
  /** The step of a hold of an action to an earlier milestone, because its alert still fires. */
  | 'hold steps down'
  /** The end of a hold at its time, of any holder. */
  | 'end of a hold'
  /** The start of the next milestone of a plan, by time and all other gates. */
  | 'plan step'
  /** The hold of a safeguard on its flag, or the switch of its flag to off. */
  | 'safeguard holds'
  | 'safeguard pauses'
  /** The end of the hold of a safeguard, when the value is back. */
  | 'safeguard releases'
  | 'scheduled change request'
  /** The end of an override at its time. */
  | 'end of an override';

/**
 * The behaviour of an automation while a stop is in force.
 * `acts`: the stop does not concern it.
 * `lowers`: it acts where it takes the flag from users only, and waits otherwise.
 * `waits`: it acts by itself when the stop ends.
 * `waits for a person`: who decides after the stop.
 * `is skipped`: it does not act later either.
 */
export type Rule = 'acts' | 'lowers' | 'waits' | 'waits for a person' | 'is skipped';

/**
 * The rule of each kind of automation under each stop. Nothing raises exposure while a person has said stop, and under
 * an override nothing touches the flag. A new kind of automation, or a new stop, does not compile without its cells
 * (ADR 104).
 */
export const rules: Readonly<Record<AutomationKind, Readonly<Record<Stop, Rule>>>> = {
  'hold by an action': {
    freeze: 'waits for a person',
    maintenance: 'waits for a person',
    // The override says that the alert has been seen. A person decides from its end on, if the alert fires then.
    override: 'waits for a person',
    'endpoint disabled': 'waits for a person',
  },
  'waiting hold': {
    freeze: 'waits for a person',
    maintenance: 'waits for a person',
    override: 'waits for a person',
    'endpoint disabled': 'waits for a person',
  },
  // A sender reports the end of an alert once, so it is never lost (ADR 60).
  'release by an action': {
    freeze: 'waits',
    maintenance: 'waits',
    override: 'waits',
    'endpoint disabled': 'waits',
  },
  'change by an action': {
    freeze: 'is skipped',
    maintenance: 'is skipped',
    override: 'is skipped',
    'endpoint disabled': 'is skipped',
  },
  'call by an action': {
    freeze: 'waits',
    maintenance: 'waits',
    override: 'acts',
    'endpoint disabled': 'acts',
  },
  // Holds in force stay as they are. Nothing says that the alert of a disabled endpoint is over.
  'hold steps down': {
    freeze: 'waits',
    maintenance: 'waits',
    override: 'waits',
    'endpoint disabled': 'acts',
  },
  'end of a hold': {
    freeze: 'waits',
    maintenance: 'waits',
    override: 'waits',
    'endpoint disabled': 'acts',
  },
  'plan step': {
    freeze: 'waits',
    maintenance: 'waits',
    override: 'waits',
    'endpoint disabled': 'acts',
  },
  'safeguard holds': {
    freeze: 'lowers',
    maintenance: 'lowers',
    override: 'waits',
    'endpoint disabled': 'acts',
  },
  'safeguard pauses': {
    freeze: 'acts',
    maintenance: 'acts',
    // The plan stands still under the override. If the value is still beyond the threshold afterwards, the plan pauses.
    override: 'waits',
    'endpoint disabled': 'acts',
  },
  'safeguard releases': {
    freeze: 'waits',
    maintenance: 'waits',
    override: 'waits',
    'endpoint disabled': 'acts',
  },
  'scheduled change request': {
    freeze: 'waits',
    maintenance: 'waits',
    override: 'waits',
    'endpoint disabled': 'acts',
  },
  // An override that has ended changes no flag by itself.
  'end of an override': {
    freeze: 'acts',
    maintenance: 'acts',
    override: 'acts',
    'endpoint disabled': 'acts',
  },
};
