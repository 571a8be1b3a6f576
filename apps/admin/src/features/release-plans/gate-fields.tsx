import { NumberInput, Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Condition } from '../../entities/release-plans/plan-queries.ts';
import { rolesQuery } from '../../entities/roles/role-queries.ts';
import { MetricFields } from '../../entities/safeguards/metric-fields.tsx';
import {
  type MetricInput,
  metricInputOf,
  noMetric,
  problemsOf,
  toMetric,
} from '../../entities/safeguards/metric-input.ts';
import { useMay } from '../../lib/me.ts';

/** The values of the form for the gates of a milestone, except the gates of time and hours. */
export interface Gates {
  /** The minimum number of evaluations; empty for no such gate. */
  readonly evaluations: number | string;
  /** `none`, `person`, `action`, or the id of the role that a person needs. */
  readonly approval: string;
  /** A metric that must be below or above a threshold; null for no such gate. */
  readonly metric: MetricInput | null;
}

export const noGates: Gates = { evaluations: '', approval: 'none', metric: null };

/** The initial metric of a gate: it has to be below a threshold, as errors do. */
const calm: MetricInput = { ...noMetric, operator: '<' };

/** Returns the values of the form for the gates of a condition. */
export function gatesOf({ evaluations, approval, metric }: Condition): Gates {
  return {
    evaluations: evaluations ?? '',
    approval: approval === undefined ? 'none' : approval.by === 'action' ? 'action' : String(approval.role ?? 'person'),
    metric: metric === undefined ? null : metricInputOf(metric.impactMetric, metric.condition),
  };
}

/** Returns whether the fields of the gates are complete. */
export function isComplete({ metric }: Gates): boolean {
  return metric === null || problemsOf(metric) === null;
}

/** Returns the gates in the format of requests. */
export function toGates(
  { evaluations, approval, metric }: Gates,
  environment: string,
): Pick<Condition, 'evaluations' | 'metric' | 'approval'> {
  return {
    ...(evaluations === '' ? {} : { evaluations: Number(evaluations) }),
    ...(metric === null ? {} : { metric: toMetric(metric, environment) }),
    ...(approval === 'none' ? {} : { approval: toApproval(approval) }),
  };
}

function toApproval(choice: string): NonNullable<Condition['approval']> {
  if (choice === 'action') return { by: 'action' };
  return choice === 'person' ? { by: 'person' } : { by: 'person', role: Number(choice) };
}

interface Props {
  readonly gates: Gates;
  readonly project: string;
  readonly environment: string;
  /** Whether the gates apply to all steps of a new plan, or to one milestone. */
  readonly scope: 'steps' | 'milestone';
  /** Whether to show the errors of the metric's fields. */
  readonly isChecked: boolean;
  readonly onChange: (gates: Gates) => void;
}

const words = {
  steps: { each: 'each step', one: 'a step', next: 'no step starts' },
  milestone: { each: 'this milestone', one: 'the milestone', next: 'the next milestone does not start' },
} as const;

/** Edits the gates of the steps of a plan, or of a milestone, except the gates of time and hours. */
export function GateFields({ gates, project, environment, scope, isChecked, onChange }: Props) {
  const { each, one, next } = words[scope];
  const { metric } = gates;
  const mayListRoles = useMay()('READ_ROLE');
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: mayListRoles });
  return (
    <>
      <NumberInput
        label={`Evaluations at ${each}, at least`}
        description={`As SDKs report them. Those of the clock hour in which ${one} starts do not count.`}
        min={1}
        max={1_000_000_000_000}
        allowDecimal={false}
        value={gates.evaluations}
        onChange={(evaluations) => onChange({ ...gates, evaluations })}
      />
      <Switch
        label="Only while a metric is beyond a threshold"
        description={`Such as a share of errors below 0.01. Without data ${next} by itself.`}
        checked={metric !== null}
        onChange={({ currentTarget }) => onChange({ ...gates, metric: currentTarget.checked ? calm : null })}
      />
      {metric !== null && (
        <MetricFields
          values={metric}
          problems={isChecked ? (problemsOf(metric) ?? {}) : {}}
          project={project}
          environment={environment}
          onChange={(values) => onChange({ ...gates, metric: { ...metric, ...values } })}
        />
      )}
      <Select
        label={`Approval of ${each}`}
        data={approvalChoices(roles, gates.approval)}
        allowDeselect={false}
        value={gates.approval}
        onChange={(approval) => approval !== null && onChange({ ...gates, approval })}
      />
    </>
  );
}

/** Returns the choices of who approves. They include the chosen role even if the user cannot see its name. */
function approvalChoices(roles: readonly { readonly id: number; readonly name: string }[], chosen: string) {
  const choices = [
    { value: 'none', label: 'Not needed' },
    { value: 'person', label: 'By a person who may change the plan' },
    { value: 'action', label: 'By an action, when a signal arrives' },
    ...roles.map(({ id, name }) => ({ value: String(id), label: `By a person with the role ${name}` })),
  ];
  const isKnown = choices.some(({ value }) => value === chosen);
  return isKnown ? choices : [...choices, { value: chosen, label: `By a person with the role with the id ${chosen}` }];
}
