import { Alert, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { usedIn } from '../../ui/usage.tsx';
import { ConstraintBuilder } from '../constraints/constraint-builder.tsx';
import { bodyOf, type ConstraintDraft, constraintProblems, draftOf } from '../constraints/draft.ts';
import { selectableFields } from '../context-fields/context-field-routes.ts';
import { projectsQuery } from '../projects/project-queries.ts';
import { changedBySegments, type Segment } from './segment-queries.ts';

interface Props {
  /** The one that is edited; a new one is made without. */
  readonly segment?: Segment;
  /** The project that a new one is to belong to, where that is not asked. */
  readonly projectId?: string;
  readonly onClose: () => void;
}

/** Makes or edits a segment. */
export function SegmentForm({ segment, projectId, onClose }: Props) {
  const { data: projects } = useQuery(projectsQuery);
  const form = useForm({
    initialValues: {
      name: segment?.name ?? '',
      description: segment?.description ?? '',
      project: segment?.project ?? projectId ?? '',
      constraints: (segment?.constraints ?? []).map(draftOf) as readonly ConstraintDraft[],
    },
    validate: ({ name, constraints }) => ({
      ...constraintProblems(constraints),
      ...(name.trim() === '' ? { name: 'Give the segment a name.' } : {}),
    }),
  });
  const saving = useSaving(form, {
    save: async ({ name, description, project, constraints }) => {
      const body = {
        name,
        description,
        project: project === '' ? null : project,
        constraints: constraints.map(bodyOf),
      };
      if (segment === undefined) await api('POST /api/admin/segments', { body });
      else await api('PUT /api/admin/segments/:id', { params: { id: segment.id }, body });
    },
    changes: changedBySegments,
    said: segment === undefined ? 'Segment created' : 'Segment saved',
    onSaved: onClose,
  });
  const fields = useQuery(selectableFields(form.values.project === '' ? undefined : form.values.project));
  return (
    <FormDrawer
      title={segment === undefined ? 'New segment' : `Edit ${segment.name}`}
      save={segment === undefined ? 'Create segment' : 'Save segment'}
      saving={saving}
      onClose={onClose}
      width={760}
    >
      {segment !== undefined && segment.usedInFeatures > 0 && (
        <Alert color="yellow" variant="light">
          What is changed here changes {usedIn(segment.usedInFeatures, segment.usedInProjects)} at once.
        </Alert>
      )}
      <TextInput label="Segment name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
      {projectId === undefined && (
        <Select
          label="Project"
          description="Whose flags may use it."
          data={[
            { value: '', label: 'All projects' },
            ...(projects?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? []),
          ]}
          allowDeselect={false}
          searchable
          {...form.getInputProps('project')}
        />
      )}
      <Stack gap="xs">
        <Text size="sm" fw={550} component="h3" m={0}>
          Constraints
        </Text>
        <Text size="xs" c="dimmed">
          Who meets all of them is in the segment.
        </Text>
        <ConstraintBuilder
          constraints={form.values.constraints}
          fields={fields.data ?? []}
          problems={form.errors}
          onChange={(constraints) => form.setFieldValue('constraints', constraints)}
        />
      </Stack>
    </FormDrawer>
  );
}
