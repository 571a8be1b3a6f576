import type { SignalSourceName, SignalState } from '@yardarm/contract';
import type { ConstraintDraft } from '../../../entities/constraints/draft.ts';
import { newConstraint } from '../../../entities/constraints/draft.ts';
import { draftOfGuards } from '../../../entities/hours/guards.ts';
import type { SignalEndpoint } from '../../../entities/signals/signal-queries.ts';
import { type ActionSetDraft, newAction, silenceReason } from '../action-draft.ts';

/** The fields of an action set that a template fills in. The user chooses the flag, the environment and the account. */
type Filled = Pick<
  ActionSetDraft,
  'name' | 'description' | 'trigger' | 'forEach' | 'filters' | 'releaseFilters' | 'actions' | 'guards' | 'allow'
>;

/** An action template: a draft that is filled in for the sender of an endpoint. */
interface ActionTemplate {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The sources that the template is for; undefined for all. */
  readonly sources?: readonly SignalSourceName[];
  readonly fill: (sender: Sender) => Partial<Filled>;
}

/** The paths at which the signals of an endpoint have the fields of an alert. */
interface Sender {
  readonly source: SignalSourceName;
  /** The path of the alerts in a signal; empty when a signal is one alert. */
  readonly forEach: string;
  /** Returns the path of a field of an alert. */
  readonly path: (field: 'state' | 'title' | 'severity') => string;
}

const deployments: readonly SignalSourceName[] = ['github', 'gitlab', 'argo-cd', 'argo-rollouts', 'flagger', 'generic'];
const repositories: readonly SignalSourceName[] = ['github', 'gitlab', 'generic'];

/** The action templates, the most urgent first. */
export const actionTemplates: readonly ActionTemplate[] = [
  {
    id: 'kill-switch',
    title: 'Hold a flag off while an alert fires',
    description: 'The flag returns to its configured state when the alert is resolved.',
    fill: (sender) => ({ ...during(sender, 'firing', 'resolved'), ...holding(sender, { effect: 'off' }) }),
  },
  {
    id: 'percentage-down',
    title: 'Hold a flag at 10 % while an alert fires',
    description: 'Takes load away without switching the feature off for everybody.',
    fill: (sender) => ({
      ...during(sender, 'firing', 'resolved'),
      ...holding(sender, { effect: 'rollout', rollout: '10' }),
    }),
  },
  {
    id: 'milestone-down',
    title: 'Hold a flag at the milestone before while an alert fires',
    description: 'For a flag with a release plan: the plan is halted, and goes on when the alert is resolved.',
    fill: (sender) => ({ ...during(sender, 'firing', 'resolved'), ...holding(sender, { effect: 'milestone' }) }),
  },
  {
    id: 'error-budget',
    title: 'Hold a fallback on while the error budget burns',
    description: 'Only for critical alerts and pages. For a flag that switches to a cheaper or safer way.',
    fill: (sender) => ({
      ...during(sender, 'firing', 'resolved', [isOneOf(sender.path('severity'), 'critical', 'page')]),
      ...holding(sender, { effect: 'on' }),
    }),
  },
  {
    id: 'issue-spike',
    title: 'Hold a flag off while Sentry reports a spike of issues',
    description: 'For metric alerts of Sentry that become critical. A resolved alert releases the flag.',
    sources: ['sentry'],
    fill: (sender) => ({
      filters: [isOneOf('normalized.severity', 'critical')],
      releaseFilters: [isOneOf('normalized.state', 'resolved')],
      ...holding(sender, { effect: 'off' }),
    }),
  },
  {
    id: 'kill-by-tag',
    title: 'Turn off all flags with a tag when an alert fires',
    description: 'People turn them on again. At most 20 flags within an hour.',
    fill: (sender) => ({
      ...when(sender, 'firing'),
      actions: [act('TOGGLE_FEATURES_OFF_BY_TAG', { tag: 'simple:kill-switch' })],
      guards: draftOfGuards({ flagsPerHour: 20 }),
    }),
  },
  {
    id: 'freeze-during-deploy',
    title: 'Hold a rollout at 0 % while a deployment runs',
    description: 'Released when the deployment has succeeded or failed, and after two hours at the latest.',
    sources: deployments,
    fill: (sender) => ({
      ...when(sender, 'pending'),
      releaseFilters: [isOneOf(sender.path('state'), 'succeeded', 'failed')],
      ...holding(sender, { effect: 'rollout', rollout: '0', minutes: '120' }),
    }),
  },
  {
    id: 'off-after-failed-deploy',
    title: 'Hold a flag off from a failed deployment to the next success',
    description: 'Keeps a feature off that needs a version which could not be deployed.',
    sources: deployments,
    fill: (sender) => ({ ...during(sender, 'failed', 'succeeded'), ...holding(sender, { effect: 'off' }) }),
  },
  {
    id: 'on-after-deploy',
    title: 'Turn a flag on when a deployment has finished',
    description: 'Changes the configured state of the flag once for each successful deployment.',
    sources: deployments,
    fill: (sender) => ({ ...when(sender, 'succeeded'), actions: [act('TOGGLE_FEATURE_ON', {})] }),
  },
  {
    id: 'stale-on-cleanup',
    title: 'Mark a flag as stale when its code is removed',
    description: 'For the merge of the change that removes the flag from the code.',
    sources: repositories,
    fill: ({ source }) => ({ forEach: '', filters: mergedIn(source), actions: [act('MARK_STALE', {})] }),
  },
  {
    id: 'maintenance-tag',
    title: 'Tag a flag when an alert fires',
    description: 'Shows in lists and searches which flags an incident concerns. Changes nothing for SDKs.',
    fill: (sender) => ({ ...when(sender, 'firing'), actions: [act('ADD_TAG', { tag: 'simple:incident' })] }),
  },
  {
    id: 'watchdog-silent',
    title: 'Watchdog silent: hold a flag off while no signal arrives',
    description:
      'For an endpoint that expects signals, such as the Watchdog alert of Prometheus. The flag returns to its configured state when signals arrive again.',
    fill: () => ({
      trigger: 'silence',
      releaseFilters: [],
      actions: [act('HOLD_FEATURE', { effect: 'off', reason: silenceReason })],
    }),
  },
];

/** Returns the templates for a source. */
export function templatesFor(source: SignalSourceName): readonly ActionTemplate[] {
  return actionTemplates.filter(({ sources }) => sources?.includes(source) ?? true);
}

/** Returns the fields that a template fills in for an endpoint. Fields that the template leaves open are empty. */
export function fillTemplate(template: ActionTemplate, endpoint: Pick<SignalEndpoint, 'source' | 'fields'>): Filled {
  return {
    name: template.title,
    description: template.description,
    trigger: 'signal',
    forEach: '',
    filters: [],
    releaseFilters: null,
    actions: [newAction()],
    guards: draftOfGuards(undefined),
    allow: { flags: [], tags: [], environments: [] },
    ...template.fill(senderOf(endpoint)),
  };
}

/** The sources whose signals are groups of alerts. */
const grouped: readonly SignalSourceName[] = ['alertmanager', 'grafana'];

function senderOf({ source, fields }: Pick<SignalEndpoint, 'source' | 'fields'>): Sender {
  if (grouped.includes(source) || fields?.elements !== undefined)
    return { source, forEach: 'normalized.elements', path: (field) => `item.${field}` };
  // A generic endpoint without configured paths recognises no fields, so the paths of the payload itself are suggested.
  const isUnknown = source === 'generic' && fields === null;
  return { source, forEach: '', path: (field) => (isUnknown ? unknownPaths[field] : `normalized.${field}`) };
}

const unknownPaths = { state: 'status', title: 'title', severity: 'severity' } as const;

function when({ forEach, path }: Sender, state: SignalState): Partial<Filled> {
  return { forEach, filters: [isOneOf(path('state'), state)] };
}

function during(
  sender: Sender,
  begins: SignalState,
  ends: SignalState,
  more: readonly ConstraintDraft[] = [],
): Partial<Filled> {
  const { filters = [], forEach = '' } = when(sender, begins);
  return { forEach, filters: [...filters, ...more], releaseFilters: [isOneOf(sender.path('state'), ends)] };
}

function holding({ path }: Sender, params: Readonly<Record<string, string>>): Partial<Filled> {
  return { actions: [act('HOLD_FEATURE', { ...params, reason: `{{${path('title')}}}` })] };
}

function mergedIn(source: SignalSourceName): readonly ConstraintDraft[] {
  if (source === 'github') return [isOneOf('action', 'closed'), isOneOf('pull_request.merged', 'true')];
  if (source === 'gitlab') return [isOneOf('object_attributes.state', 'merged')];
  return [isOneOf('status', 'merged')];
}

function act(action: string, params: Readonly<Record<string, string>>) {
  return { ...newAction(), action, params };
}

function isOneOf(path: string, ...values: readonly string[]): ConstraintDraft {
  return { ...newConstraint(), contextName: path, values };
}
