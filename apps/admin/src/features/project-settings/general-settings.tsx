import { NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { selectableFields } from '../../entities/context-fields/context-field-routes.ts';
import { projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormCard } from '../../ui/form-card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ModeChoice } from '../projects/index.ts';
import { ArchiveOrDeleteProject } from './archive-or-delete-project.tsx';
import { ChangeReasonSettings } from './change-reason-settings.tsx';
import { NamingPattern } from './naming-pattern.tsx';
import type { ProjectOverview } from './project-overview.ts';
import { useSettingsProject } from './settings-layout.tsx';

/** The general settings of a project. */
export function GeneralSettings() {
  const projectId = useSettingsProject();
  const project = useQuery(projectOverviewQuery(projectId));
  return (
    <Loaded query={project}>
      {(overview) => (
        <Stack gap="lg">
          <Details key={projectId} projectId={projectId} overview={overview} />
          <NamingPattern key={`naming ${projectId}`} projectId={projectId} naming={overview.featureNaming} />
          <ChangeReasonSettings key={`reasons ${projectId}`} projectId={projectId} rule={overview.changeReason} />
          <ArchiveOrDeleteProject projectId={projectId} name={overview.name} flags={flagsOf(overview)} />
        </Stack>
      )}
    </Loaded>
  );
}

function flagsOf({ featureTypeCounts }: ProjectOverview): number {
  return featureTypeCounts.reduce((sum, { count }) => sum + count, 0);
}

function valuesOf({ name, description, mode, defaultStickiness, featureLimit }: ProjectOverview) {
  return {
    name,
    description: description ?? '',
    mode,
    defaultStickiness,
    featureLimit: featureLimit ?? ('' as number | string),
  };
}

function bodyOf({ featureLimit, ...others }: ReturnType<typeof valuesOf>) {
  return { ...others, featureLimit: typeof featureLimit === 'number' ? featureLimit : null };
}

interface DetailsProps {
  readonly projectId: string;
  readonly overview: ProjectOverview;
}

function Details({ projectId, overview }: DetailsProps) {
  const { data: fields } = useQuery(selectableFields(projectId));
  const form = useForm({
    initialValues: valuesOf(overview),
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const params = { projectId };
      const loaded = bodyOf(form.getInitialValues());
      const current = bodyOf(valuesOf(await api('GET /api/admin/projects/:projectId/overview', { params })));
      const body = { name: current.name, ...editedFields({ loaded, edited: bodyOf(values), current }) };
      return api('PUT /api/admin/projects/:projectId', { params, body });
    },
    changes: ['GET /api/admin/projects', 'GET /api/admin/projects/:projectId/overview'],
    notice: 'Project saved',
    onSaved: () => form.resetDirty(),
  });
  const sticky = fields?.filter(({ stickiness }) => stickiness).map(({ name }) => name) ?? [];
  const choices = [...new Set(['default', ...sticky, 'random', form.values.defaultStickiness])];
  return (
    <FormCard
      title="Details"
      save="Save changes"
      saving={saving}
      isChanged={form.isDirty()}
      needs="UPDATE_PROJECT"
      place={{ project: projectId }}
    >
      <TextInput label="Project ID" value={projectId} readOnly variant="filled" />
      <TextInput label="Project name" required {...form.getInputProps('name')} />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
      <ModeChoice {...form.getInputProps('mode')} />
      <Select
        label="Default stickiness"
        description="The context field of gradual rollouts, unless a strategy sets another."
        data={choices}
        allowDeselect={false}
        {...form.getInputProps('defaultStickiness')}
      />
      <NumberInput
        label="Flag limit"
        description="The maximum number of active flags. Unlimited when empty."
        min={1}
        max={2147483647}
        allowDecimal={false}
        maw={240}
        {...form.getInputProps('featureLimit')}
      />
    </FormCard>
  );
}
