import { MultiSelect, TagsInput, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { eventLabels } from '@yardarm/contract/event-types';
import { environmentsQuery } from '../../entities/environments/environment-queries.ts';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FixedName } from '../../ui/fixed-name.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import type { Consumer } from './consumer-queries.ts';

interface Props {
  /** The consumer to edit; absent to create a new consumer. */
  readonly consumer?: Consumer;
  readonly taken: readonly Consumer[];
  readonly onClose: () => void;
}

type Types = NonNullable<Consumer['types']>;

const typeOptions = Object.entries(eventLabels).map(([value, label]) => ({
  value,
  label: label === value ? value : `${label} (${value})`,
}));

/** Creates or edits an event consumer. */
export function ConsumerForm({ consumer, taken, onClose }: Props) {
  const { data: projects } = useQuery(projectsQuery);
  const { data: environments } = useQuery(environmentsQuery);
  const form = useForm({
    initialValues: valuesOf(consumer),
    validate: { name: (name) => (consumer === undefined ? nameProblem(name, taken) : null) },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(values);
      const { name } = values;
      const body = consumer === undefined ? edited : await editsOf(consumer, bodyOf(form.getInitialValues()), edited);
      await api('PUT /api/admin/event-consumers/:name', { params: { name }, body });
    },
    changes: ['GET /api/admin/event-consumers'],
    notice: consumer === undefined ? 'Event consumer created' : 'Event consumer saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={consumer === undefined ? 'New event consumer' : `Edit ${consumer.name}`}
      save={consumer === undefined ? 'Create event consumer' : 'Save event consumer'}
      saving={saving}
      onClose={onClose}
    >
      <FixedName
        label="Name"
        description="The program uses it in the URL."
        isNew={consumer === undefined}
        {...form.getInputProps('name')}
      />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
      <MultiSelect
        label="Event types"
        description="Leave empty for all types."
        data={typeOptions}
        searchable
        limit={50}
        {...form.getInputProps('types')}
      />
      <MultiSelect
        label="Projects"
        description="Leave empty for all projects."
        data={(projects?.projects ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        {...form.getInputProps('projects')}
      />
      <MultiSelect
        label="Environments"
        description="Leave empty for all environments."
        data={(environments ?? []).map(({ name }) => name)}
        searchable
        {...form.getInputProps('environments')}
      />
      <TagsInput label="Flags" description="Leave empty for all flags." {...form.getInputProps('features')} />
    </FormDrawer>
  );
}

/** Returns the edited fields. Rejects when the consumer was deleted, because saving would create it again. */
async function editsOf({ name }: Consumer, loaded: Body, edited: Body): Promise<Partial<Body>> {
  const { consumers } = await api('GET /api/admin/event-consumers');
  const now = consumers.find((other) => other.name === name);
  if (now === undefined) throw new Error(`The event consumer ${name} was deleted.`);
  return editedFields({ loaded, edited, current: bodyOf(valuesOf(now)) });
}

type Body = ReturnType<typeof bodyOf>;

function valuesOf(consumer: Consumer | undefined) {
  return {
    name: consumer?.name ?? '',
    description: consumer?.description ?? '',
    types: [...(consumer?.types ?? [])] as string[],
    projects: [...(consumer?.projects ?? [])],
    environments: [...(consumer?.environments ?? [])],
    features: [...(consumer?.features ?? [])],
  };
}

function bodyOf({ description, types, projects, environments, features }: ReturnType<typeof valuesOf>) {
  return {
    description,
    types: types.length === 0 ? null : (types as Types),
    projects: orAll(projects),
    environments: orAll(environments),
    features: orAll(features),
  };
}

function orAll(values: readonly string[]): string[] | null {
  return values.length === 0 ? null : [...values];
}

/** Returns the error of a name, by the rule of the contract; null for a valid name. */
function nameProblem(name: string, taken: readonly Consumer[]): string | null {
  if (!/^[A-Za-z0-9_~.-]{1,100}$/.test(name)) return 'Use 1 to 100 letters, digits or _~.- characters.';
  return taken.some((consumer) => consumer.name === name) ? 'An event consumer with this name exists.' : null;
}
