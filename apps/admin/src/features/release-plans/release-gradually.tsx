import { Button, Checkbox, Group, NumberInput, Select, Switch, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconStairsUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import type { Hours } from '../../entities/hours/guards.ts';
import { HoursEditor } from '../../entities/hours/hours-editor.tsx';
import { type Place, templatesQuery } from '../../entities/release-plans/plan-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { GateFields, type Gates, isComplete, noGates, toGates } from './gate-fields.tsx';
import { PlanChangeDialog } from './plan-change-dialog.tsx';
import { RehearseHere } from './rehearsal.tsx';

interface Props {
  readonly place: Place;
  /** Whether the flag has strategies, which a plan can replace. */
  readonly hasStrategies: boolean;
}

/** A button that adds a release plan to a flag in an environment. */
export function ReleaseGradually(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { projectId: project, environment } = props.place;
  const { reviewed } = useReview(props.place);
  return (
    <>
      <Permitted needs={reviewed ? undefined : 'CREATE_FEATURE_STRATEGY'} place={{ project, environment }}>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconStairsUp size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          Release gradually
        </Button>
      </Permitted>
      {isOpen && <PlanDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const inSteps = 'steps';
const percentages = [1, 10, 50, 100];
const units = [
  { value: '1', label: 'minutes' },
  { value: '60', label: 'hours' },
  { value: '1440', label: 'days' },
];

const initialValues = {
  template: inSteps,
  count: 1 as number | string,
  unit: '60',
  hours: null as Hours | null,
  gates: noGates,
  maxHalts: 3 as number | string,
  stepDownMinutes: 5 as number | string,
  restMinutes: 10 as number | string,
  replaces: true,
  shadow: false,
};

type Values = typeof initialValues;

const isCount = (value: number | string) => Number.isInteger(value) && Number(value) >= 1;

const validate = {
  gates: (gates: Gates, { template }: Values) =>
    template === inSteps && !isComplete(gates) ? 'The metric is not complete.' : null,
  hours: (hours: Hours | null, { template }: Values) =>
    template === inSteps && hours !== null && hours.days.length === 0 ? 'Choose a day.' : null,
  maxHalts: (halts: number | string) =>
    halts === '' || isCount(halts) ? null : 'Must be a whole number from 1, or empty.',
  stepDownMinutes: (minutes: number | string) =>
    minutes === '' || isCount(minutes) ? null : 'Must be a whole number from 1, or empty.',
  restMinutes: (minutes: number | string) =>
    minutes === 0 || isCount(minutes) ? null : 'Must be a whole number from 0.',
  count: (count: number | string, { template }: Values) =>
    template === inSteps && !isCount(count) ? 'Must be a whole number from 1.' : null,
};

function PlanDialog({ place, hasStrategies, onClose }: Props & { readonly onClose: () => void }) {
  const { data: templates } = useQuery(templatesQuery);
  const usable = (templates ?? []).filter(({ project }) => project === null || project === place.projectId);
  const form = useForm({ initialValues, validate });
  const { template, count, unit, hours, gates, maxHalts, stepDownMinutes, restMinutes, replaces, shadow } = form.values;
  const steps = {
    ...(template === inSteps
      ? { milestones: stepsOf(Number(count) * Number(unit), hours, toGates(gates, place.environment)) }
      : { templateId: template }),
    ...(maxHalts === '' ? {} : { maxHalts: Number(maxHalts) }),
    restMinutes: Number(restMinutes),
  };
  const plan = {
    ...steps,
    ...(template === inSteps ? { name: 'Release gradually' } : {}),
    strategies: replaces && hasStrategies && !shadow ? ('remove' as const) : ('keep' as const),
    ...(shadow ? { shadow } : {}),
    stepDownMinutes: stepDownMinutes === '' ? null : Number(stepDownMinutes),
  };
  const choices = [
    { value: inSteps, label: `In steps: ${percentages.map((share) => `${share} %`).join(', ')}` },
    ...usable.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <PlanChangeDialog
      place={place}
      title={`Release ${place.featureName} gradually in ${place.environment}`}
      label="Start"
      permitted={useMay()('CREATE_FEATURE_STRATEGY', { project: place.projectId, environment: place.environment })}
      change={() =>
        form.validate().hasErrors ? undefined : { action: 'addReleasePlan', feature: place.featureName, payload: plan }
      }
      make={(reason) =>
        api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans', {
          params: place,
          body: plan,
          reason,
        })
      }
      onClose={onClose}
    >
      <Text size="sm">
        The first step is served at once. Time at a step counts while the flag is on. While an action or a person holds
        the flag, the plan halts, and its step starts anew afterwards.
      </Text>
      <Select label="Steps" data={choices} allowDeselect={false} {...form.getInputProps('template')} />
      {template === inSteps && <StepFields form={form} place={place} />}
      <NumberInput
        label="Halts at a step until the plan goes back"
        description="It goes back to the first step, and a person resumes it. Never when empty."
        min={1}
        max={100}
        {...form.getInputProps('maxHalts')}
      />
      <NumberInput
        label="Minutes until a hold without effect goes one step further down"
        description="While an alert or a metric holds the flag at a step. Never when empty."
        min={1}
        max={10_080}
        {...form.getInputProps('stepDownMinutes')}
      />
      <NumberInput
        label="Minutes that such a hold lasts at least"
        description="So that users do not go in and out when an alert comes and goes."
        min={0}
        max={10_080}
        {...form.getInputProps('restMinutes')}
      />
      <RehearseHere place={place} source={() => (form.validate().hasErrors ? undefined : steps)} />
      <Switch
        label="Shadow mode"
        description="The plan runs and is recorded, but the flag is served as it is now."
        {...form.getInputProps('shadow', { type: 'checkbox' })}
      />
      {hasStrategies && !shadow && (
        <Checkbox
          label="Remove the present strategies of the flag here"
          description="A flag is on for users that match any of its strategies. One for everyone leaves nothing to release."
          {...form.getInputProps('replaces', { type: 'checkbox' })}
        />
      )}
    </PlanChangeDialog>
  );
}

/** The time, the hours and the gates that all steps have. */
function StepFields({ form, place }: Pick<Props, 'place'> & { readonly form: UseFormReturnType<Values> }) {
  const { hours, gates } = form.values;
  return (
    <>
      <Group align="flex-start" grow>
        <NumberInput label="Time at each step" min={1} max={1000} {...form.getInputProps('count')} />
        <Select label="Unit" data={units} allowDeselect={false} {...form.getInputProps('unit')} />
      </Group>
      <HoursEditor
        hours={hours}
        description="At other times no step starts by itself: not on Friday night."
        problems={{ 'guards.hours.days': form.errors.hours }}
        onChange={(next) => form.setFieldValue('hours', next)}
      />
      <GateFields
        gates={gates}
        project={place.projectId}
        environment={place.environment}
        scope="steps"
        isChecked={form.errors['gates'] !== undefined}
        onChange={(next) => form.setFieldValue('gates', next)}
      />
    </>
  );
}

/** Returns milestones of rising percentages. All but the last have the same gates. */
function stepsOf(intervalMinutes: number, hours: Hours | null, gates: ReturnType<typeof toGates>) {
  const condition = { intervalMinutes, ...(hours === null ? {} : { hours }), ...gates };
  return percentages.map((share, index) => ({
    name: `${share} %`,
    transitionCondition: index === percentages.length - 1 ? null : condition,
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(share) } }],
  }));
}
