import { Button, NumberInput, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { durations, endOf } from '../now/durations.ts';
import { requireWhy, WhyField } from '../now/why-field.tsx';
import { type Flag, type FlagEnvironment, useFlagsChanged } from './flag-queries.ts';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project'>;
  readonly state: Pick<FlagEnvironment, 'name' | 'lease'>;
}

/** A button that holds a flag in an environment. */
export function PlaceHold(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { flag, state } = props;
  return (
    <>
      <Permitted needs="UPDATE_FEATURE_ENVIRONMENT" place={{ project: flag.project, environment: state.name }}>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconLock size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          Hold
        </Button>
      </Permitted>
      {isOpen && <HoldDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const untilReleased = { value: '', label: 'Until it is released' };
const effects = [
  { value: 'off', label: 'Off' },
  { value: 'rollout', label: 'At a percentage' },
  { value: 'on', label: 'On' },
];

function HoldDialog({ flag, state, onClose }: Props & { readonly onClose: () => void }) {
  const changed = useFlagsChanged();
  const form = useForm({
    initialValues: { effect: 'off' as 'off' | 'rollout' | 'on', rollout: 10, hours: '4', reason: '' },
    validate: { reason: requireWhy },
  });
  const { effect } = form.values;
  const saving = useSaving(form, {
    save: ({ rollout, hours, reason }) =>
      api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases', {
        params: { projectId: flag.project, featureName: flag.name, environment: state.name },
        body: {
          effect,
          ...(effect === 'rollout' ? { rollout } : {}),
          reason,
          expiresAt: endOf(hours),
        },
      }),
    changes: ['GET /api/admin/now', 'GET /api/admin/leases'],
    notice: `Held ${flag.name} in ${state.name}`,
    onSaved: () => void changed().then(onClose),
  });
  return (
    <FormDialog title={`Hold ${flag.name} in ${state.name}`} save="Hold" saving={saving} onClose={onClose}>
      <Text size="sm">
        A hold overrides the configured state until it ends or is released. Off wins over a percentage, and a percentage
        over on. Your earlier hold here is replaced.
      </Text>
      <Select label="Effect" data={effects} allowDeselect={false} {...form.getInputProps('effect')} />
      {effect === 'rollout' && (
        <NumberInput label="Percentage" min={0} max={100} suffix=" %" {...form.getInputProps('rollout')} />
      )}
      <Select
        label="How long"
        data={[...durations, untilReleased]}
        allowDeselect={false}
        {...form.getInputProps('hours')}
      />
      <WhyField {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
