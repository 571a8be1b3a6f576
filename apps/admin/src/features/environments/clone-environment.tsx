import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { Environment } from '../../entities/environments/environment-queries.ts';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { nameProblem, typesWith } from './environment-form.tsx';

interface Props {
  readonly of: Environment;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Clones an environment with the states and strategies of its flags. */
export function CloneEnvironment({ of, taken, onClose }: Props) {
  const { data: projects } = useQuery(projectsQuery);
  const form = useForm({
    validateInputOnChange: true,
    initialValues: { name: '', type: of.type, projects: [] as string[], clonePermissions: true },
    validate: { name: (name) => nameProblem(name, taken) },
  });
  const saving = useSaving(form, {
    save: ({ projects: chosen, ...body }) =>
      api('POST /api/admin/environments/:name/clone', {
        params: { name: of.name },
        body: { ...body, ...(chosen.length === 0 ? {} : { projects: chosen }) },
      }),
    changes: ['GET /api/admin/environments'],
    notice: `Environment cloned from ${of.name}`,
    onSaved: onClose,
  });
  return (
    <FormDrawer title={`Clone ${of.name}`} save="Clone environment" saving={saving} onClose={onClose}>
      <TextInput
        label="Environment name"
        description="SDKs and API tokens use this name. It cannot be changed later."
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label="Environment type"
        data={typesWith(form.values.type)}
        allowDeselect={false}
        {...form.getInputProps('type')}
      />
      <MultiSelect
        label="Projects"
        description={`Flags of these projects get the state, strategies and variants that they have in ${of.name}. Leave empty for all projects that use ${of.name}.`}
        data={projects?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        searchable
        {...form.getInputProps('projects')}
      />
      <Checkbox
        label={`Copy the permissions of custom roles from ${of.name}`}
        {...form.getInputProps('clonePermissions', { type: 'checkbox' })}
      />
    </FormDrawer>
  );
}
