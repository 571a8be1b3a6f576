import { Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormCard } from '../../ui/form-card.tsx';
import type { ProjectOverview } from './project-overview.ts';

interface Props {
  readonly projectId: string;
  readonly rule: ProjectOverview['changeReason'];
}

const needs = ['PROJECT_SETTINGS_WRITE', 'UPDATE_PROJECT'];

/** Edits whether changes of flags need a reason, and the pattern of the reasons. */
export function ChangeReasonSettings({ projectId, rule }: Props) {
  const form = useForm({
    initialValues: { changeReason: valuesOf(rule) },
  });
  const saving = useSaving(form, {
    save: async ({ changeReason: edited }) => {
      const params = { projectId };
      const loaded = form.getInitialValues().changeReason;
      const current = valuesOf((await api('GET /api/admin/projects/:projectId/overview', { params })).changeReason);
      const { required, pattern } = { ...current, ...editedFields({ loaded, edited, current }) };
      const body = { changeReason: { required, pattern: pattern === '' ? null : pattern } };
      return api('PUT /api/admin/projects/:projectId/settings', { params, body });
    },
    changes: ['GET /api/admin/projects/:projectId/overview'],
    notice: 'Change reasons saved',
    onSaved: () => form.resetDirty(),
  });
  return (
    <FormCard
      title="Change reasons"
      description="The event log shows the reason of each change. Switching a flag off never needs a reason."
      save="Save change reasons"
      saving={saving}
      isChanged={form.isDirty()}
      needs={needs}
      place={{ project: projectId }}
    >
      <Switch
        label="Require a reason for changes of flags"
        description="Programs send it in the header X-Change-Reason. SDKs and clients of Unleash cannot."
        {...form.getInputProps('changeReason.required', { type: 'checkbox' })}
      />
      <TextInput
        label="Reason must contain"
        description="A regular expression, such as the pattern of ticket IDs. Any reason is accepted when empty."
        placeholder="[A-Z]+-\d+"
        styles={{ input: { fontFamily: 'var(--yardarm-code)' } }}
        {...form.getInputProps('changeReason.pattern')}
      />
    </FormCard>
  );
}

function valuesOf({ required, pattern }: Props['rule']) {
  return { required, pattern: pattern ?? '' };
}
