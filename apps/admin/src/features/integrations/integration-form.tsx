import {
  Alert,
  Anchor,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { environmentsQuery } from '../environments/environment-queries.ts';
import { projectsQuery } from '../projects/project-queries.ts';
import type { Integration, Provider } from './integration-queries.ts';

interface Values extends Record<string, unknown> {
  enabled: boolean;
  description: string;
  parameters: Record<string, string>;
  events: string[];
  projects: string[];
  environments: string[];
}

interface Props {
  readonly provider: Provider;
  /** The one that is edited; a new one is made without. */
  readonly integration?: Integration;
  readonly onClose: () => void;
}

const named = (list: readonly string[]) => list.filter((one) => one !== '*');

/** Connects a system that is told of what happens. */
export function IntegrationForm({ provider, integration, onClose }: Props) {
  const form = useForm<Values>({
    initialValues: {
      enabled: integration?.enabled ?? true,
      description: integration?.description ?? '',
      parameters: Object.fromEntries(
        provider.parameters.map(({ name }) => [name, integration?.parameters[name] ?? '']),
      ),
      events: integration?.events ?? ['feature-environment-enabled', 'feature-environment-disabled'],
      projects: named(integration?.projects ?? []),
      environments: named(integration?.environments ?? []),
    },
    validate: ({ parameters, events }) => ({
      ...Object.fromEntries(
        provider.parameters
          .filter(({ name, required }) => required && (parameters[name] ?? '').trim() === '')
          .map(({ name }) => [`parameters.${name}`, 'This is needed.']),
      ),
      ...(events.length === 0 ? { events: 'Choose what it is told of.' } : {}),
    }),
  });
  const saving = useSaving(form, {
    save: ({ parameters, ...rest }) => {
      const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
      const body = { provider: provider.name, parameters: given, ...rest };
      return integration === undefined
        ? api('POST /api/admin/addons', { body })
        : api('PUT /api/admin/addons/:id', { params: { id: integration.id }, body });
    },
    changes: ['GET /api/admin/addons'],
    said: integration === undefined ? 'Integration created' : 'Integration saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={integration === undefined ? `New ${provider.displayName} integration` : `Edit ${provider.displayName}`}
      save={integration === undefined ? 'Create integration' : 'Save integration'}
      saving={saving}
      onClose={onClose}
      width={680}
    >
      <Alert variant="light">
        {provider.description}{' '}
        {/^https?:/.test(provider.documentationUrl) && (
          <Anchor href={provider.documentationUrl} rel="noreferrer" size="sm" underline="always" c="inherit">
            Documentation
          </Anchor>
        )}
      </Alert>
      <Switch label="Integration status" {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
      <Told form={form} provider={provider} />
      <Fieldset legend="Parameters">
        <Stack gap="sm">
          {provider.parameters.map((parameter) => (
            <Parameter key={parameter.name} form={form} parameter={parameter} saved={integration !== undefined} />
          ))}
        </Stack>
      </Fieldset>
    </FormDrawer>
  );
}

type IntegrationFormValues = UseFormReturnType<Values>;

/** Which events of which projects and environments are told. */
function Told({ form, provider }: { readonly form: IntegrationFormValues; readonly provider: Provider }) {
  const { data: projects } = useQuery(projectsQuery);
  const { data: environments } = useQuery(environmentsQuery);
  const all = form.values.events.length === provider.events.length;
  return (
    <Fieldset legend="Told of">
      <Stack gap="sm">
        <MultiSelect label="Events" required searchable data={provider.events} {...form.getInputProps('events')} />
        <Group>
          <Checkbox
            label="All events"
            checked={all}
            onChange={({ currentTarget }) =>
              form.setFieldValue('events', currentTarget.checked ? [...provider.events] : [])
            }
          />
        </Group>
        <MultiSelect
          label="Projects"
          description="All when none is chosen."
          searchable
          data={projects?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          {...form.getInputProps('projects')}
        />
        <MultiSelect
          label="Environments"
          description="All when none is chosen."
          data={environments?.map(({ name }) => name) ?? []}
          {...form.getInputProps('environments')}
        />
      </Stack>
    </Fieldset>
  );
}

interface ParameterProps {
  readonly form: IntegrationFormValues;
  readonly parameter: Provider['parameters'][number];
  /** Whether there may be a value of it. */
  readonly saved: boolean;
}

function Parameter({ form, parameter, saved }: ParameterProps) {
  const { name, displayName, type, description, required, sensitive } = parameter;
  const secret = saved ? 'It is kept secret; ***** stands for what it is now.' : 'It is kept secret.';
  const common = {
    label: displayName,
    description: sensitive ? `${description} ${secret}` : description,
    required,
    autoComplete: 'off',
    ...form.getInputProps(`parameters.${name}`),
  };
  return type === 'textfield' ? <Textarea {...common} autosize minRows={2} maxRows={12} /> : <TextInput {...common} />;
}
