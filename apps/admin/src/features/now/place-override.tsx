import { Button, Checkbox, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { durations, endOf } from '../../entities/holds/durations.ts';
import { overrideRoutes } from '../../entities/holds/now-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { Strong } from '../../ui/text.tsx';
import { requireWhy, WhyField } from './why-field.tsx';

interface Props {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  /** Called after an override was placed. */
  readonly onPlaced: () => Promise<unknown>;
}

const untilEnded = { value: '', label: 'Until it is ended' };
const route = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';

/** A button that keeps automation off a flag in an environment. */
export function PlaceOverride(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { project, environment } = props;
  return (
    <>
      <Permitted needs="OVERRIDE_AUTOMATION" place={{ project, environment }}>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconHandStop size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          Override automation
        </Button>
      </Permitted>
      {isOpen && <OverrideDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface DialogProps extends Props {
  /** A text above the form. */
  readonly intro?: string;
  readonly onClose: () => void;
}

/** Asks for how long and why automation is kept off a flag in an environment. */
export function OverrideDialog({
  project: projectId,
  featureName,
  environment,
  intro,
  onPlaced,
  onClose,
}: DialogProps) {
  const form = useForm({
    initialValues: { hours: '1', reason: '', release: true },
    validate: { reason: requireWhy },
  });
  const saving = useSaving(form, {
    save: ({ hours, reason, release }) =>
      api(route, {
        params: { projectId, featureName, environment },
        body: { reason, endsAt: endOf(hours), holds: release ? 'release' : 'keep' },
      }),
    changes: overrideRoutes,
    notice: `Automation keeps off ${featureName} in ${environment}`,
    onSaved: () => void onPlaced().then(onClose),
  });
  return (
    <FormDialog
      title={`Override automation of ${featureName} in ${environment}`}
      save="Override"
      saving={saving}
      onClose={onClose}
    >
      {intro !== undefined && <Strong>{intro}</Strong>}
      <Text size="sm">
        Automation changes nothing on this flag here until the override ends: no action, no safeguard and no scheduled
        change request. Its release plan is halted, and goes on afterwards with the time that is left.
      </Text>
      <Text size="sm">
        Runs of actions are recorded as skipped, with your reason. Holds that are kept stay beyond their end, also when
        their alert ends.
      </Text>
      <Select
        label="How long"
        data={[...durations, untilEnded]}
        allowDeselect={false}
        {...form.getInputProps('hours')}
      />
      <WhyField {...form.getInputProps('reason')} />
      <Checkbox label="Release what actions hold here now" {...form.getInputProps('release', { type: 'checkbox' })} />
    </FormDialog>
  );
}
