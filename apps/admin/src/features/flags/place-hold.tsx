import { Button, NumberInput, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { type Flag, type FlagEnvironment, useFlagsChanged } from '../../entities/flags/flag-queries.ts';
import { durations, endOf } from '../../entities/holds/durations.ts';
import type { Plan } from '../../entities/release-plans/plan-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { requireWhy, WhyField } from '../now/index.ts';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project'>;
  readonly state: Pick<FlagEnvironment, 'name' | 'lease'>;
  /** The release plan of the flag in the environment; null without one. */
  readonly plan: Plan | null;
}

/** A button that holds a flag in an environment: in any state, or off for users who may only lower who gets it. */
export function PlaceHold(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { flag, state } = props;
  const place = { project: flag.project, environment: state.name };
  const lowersOnly = !useMay()('UPDATE_FEATURE_ENVIRONMENT', place);
  return (
    <>
      <Permitted needs={['UPDATE_FEATURE_ENVIRONMENT', 'LOWER_EXPOSURE']} place={place}>
        <Button
          {...(lowersOnly ? { variant: 'filled', color: 'red', size: 'sm' } : { variant: 'subtle', size: 'xs' })}
          leftSection={<IconLock size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          {lowersOnly ? 'Hold off' : 'Hold'}
        </Button>
      </Permitted>
      {isOpen && <HoldDialog {...props} lowersOnly={lowersOnly} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const untilReleased = { value: '', label: 'Until it is released' };
const others = [
  { value: 'rollout', label: 'At a percentage' },
  { value: 'on', label: 'On' },
];
/** Given so that a person who is woken needs two taps; it can be changed. */
const reasonOnCall = 'Stopped by the person on call';
const milestonePrefix = 'milestone ';

interface DialogProps extends Props {
  /** Whether the user may only hold the flag off or at an earlier milestone, with an end. */
  readonly lowersOnly: boolean;
  readonly onClose: () => void;
}

function HoldDialog({ flag, state, plan, lowersOnly, onClose }: DialogProps) {
  const changed = useFlagsChanged();
  const form = useForm({
    initialValues: {
      effect: 'off',
      rollout: 10,
      hours: lowersOnly ? '1' : '4',
      reason: lowersOnly ? reasonOnCall : '',
    },
    validate: { reason: requireWhy },
  });
  const { effect } = form.values;
  const effects = [
    { value: 'off', label: 'Off' },
    ...earlierIn(plan).map(({ name }) => ({ value: milestonePrefix + name, label: `At the milestone ${name}` })),
    ...(lowersOnly ? [] : others),
  ];
  const saving = useSaving(form, {
    save: ({ rollout, hours, reason }) =>
      api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases', {
        params: { projectId: flag.project, featureName: flag.name, environment: state.name },
        body: {
          ...bodyOf(effect, rollout),
          reason,
          expiresAt: endOf(hours),
        },
      }),
    changes: ['GET /api/admin/now', 'GET /api/admin/leases'],
    notice: `Held ${flag.name} in ${state.name}`,
    onSaved: () => void changed().then(onClose),
  });
  return (
    <FormDialog
      title={`Hold ${flag.name} in ${state.name}`}
      save={lowersOnly && effect === 'off' ? 'Hold off' : 'Hold'}
      saving={saving}
      onClose={onClose}
    >
      <Text size="sm">
        A hold overrides the configured state until it ends or is released. Off wins over a percentage, and a percentage
        over on. Your earlier hold here is replaced. {plan !== null && 'The release plan is halted meanwhile.'}
      </Text>
      <Select label="Effect" data={effects} allowDeselect={false} {...form.getInputProps('effect')} />
      {effect === 'rollout' && (
        <NumberInput label="Percentage" min={0} max={100} suffix=" %" {...form.getInputProps('rollout')} />
      )}
      <Select
        label="How long"
        data={lowersOnly ? durations : [...durations, untilReleased]}
        allowDeselect={false}
        {...form.getInputProps('hours')}
      />
      <WhyField {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

/** Returns the milestones before the active one of a plan that is served. */
function earlierIn(plan: Plan | null): Plan['milestones'] {
  if (plan === null || plan.shadow) return [];
  return plan.milestones.slice(
    0,
    plan.milestones.findIndex(({ id }) => id === plan.activeMilestoneId),
  );
}

function bodyOf(effect: string, rollout: number) {
  if (effect.startsWith(milestonePrefix))
    return { effect: 'milestone', milestone: effect.slice(milestonePrefix.length) } as const;
  if (effect === 'rollout') return { effect, rollout } as const;
  return { effect: effect === 'on' ? 'on' : 'off' } as const;
}
