import { Checkbox, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { changedByFlags, type Flag } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { FlagNameInput } from './flag-name-input.tsx';

interface Props {
  readonly flag: Flag;
  readonly onClose: () => void;
}

/** Clones a flag. The clone is off everywhere. */
export function CloneFlag({ flag, onClose }: Props) {
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: `${flag.name}-copy`, replaceGroupId: true },
    validate: { name: (name) => (name === '' ? 'Enter a name.' : null) },
  });
  const saving = useSaving(form, {
    save: (body) =>
      api('POST /api/admin/projects/:projectId/features/:featureName/clone', {
        params: { projectId: flag.project, featureName: flag.name },
        body,
      }),
    changes: changedByFlags,
    onSaved: ({ project: projectId, name: featureName }) => {
      onClose();
      void navigate({ to: '/projects/$projectId/features/$featureName', params: { projectId, featureName } });
    },
  });
  return (
    <FormDialog title={`Clone ${flag.name}`} save="Clone flag" saving={saving} onClose={onClose}>
      <Text size="sm">
        The new flag gets the strategies, variants and dependency of this flag, but not its tags and links. It is off in
        every environment.
      </Text>
      <FlagNameInput
        projectId={flag.project}
        label="Name of the clone"
        making={saving.pending || saving.done}
        {...form.getInputProps('name')}
        value={form.values.name}
      />
      <Checkbox
        label="Use a new group ID for gradual rollouts"
        description="If off, the same users get both flags."
        {...form.getInputProps('replaceGroupId', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}
