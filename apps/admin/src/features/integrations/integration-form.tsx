import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { automationEventTypes } from '@yardarm/contract/event-types';
import { serviceAccountsQuery } from '../../entities/actions/action-queries.ts';
import { environmentsQuery } from '../../entities/environments/environment-queries.ts';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { nameOf, usersQuery } from '../../entities/users/user-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useMay } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { Hint } from '../../ui/text.tsx';
import type { Integration, Provider } from './integration-queries.ts';

interface Values extends Record<string, unknown> {
  enabled: boolean;
  description: string;
  parameters: Record<string, string>;
  events: string[];
  projects: string[];
  environments: string[];
  ordered: boolean;
  /** Ids of users, as texts. */
  actors: string[];
  cause: Integration['cause'];
}

interface Props {
  readonly provider: Provider;
  /** The integration to edit; absent to create a new integration. */
  readonly integration?: Integration;
  readonly onClose: () => void;
  /** Called with the signing key of a new integration, which is shown once. */
  readonly onCreated?: (signingKey: string) => void;
}

const named = (list: readonly string[]) => list.filter((name) => name !== '*');

function valuesOf(provider: Provider, integration: Integration | undefined): Values {
  return {
    enabled: integration?.enabled ?? true,
    description: integration?.description ?? '',
    parameters: Object.fromEntries(provider.parameters.map(({ name }) => [name, integration?.parameters[name] ?? ''])),
    events: integration?.events ?? ['feature-environment-enabled', 'feature-environment-disabled'],
    projects: named(integration?.projects ?? []),
    environments: named(integration?.environments ?? []),
    ordered: integration?.ordered ?? true,
    actors: integration?.actors.map(String) ?? [],
    cause: integration?.cause ?? 'any',
  };
}

function bodyOf(provider: Provider, { parameters, actors, ...rest }: Values) {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
  return { provider: provider.name, parameters: given, actors: actors.map(Number), ...rest };
}

/** Creates or edits an integration, which sends events to another system. */
export function IntegrationForm({ provider, integration, onClose, onCreated }: Props) {
  const form = useForm<Values>({
    initialValues: valuesOf(provider, integration),
    validate: ({ parameters, events }) => ({
      ...Object.fromEntries(
        provider.parameters
          .filter(({ name, required }) => required && (parameters[name] ?? '').trim() === '')
          .map(({ name }) => [`parameters.${name}`, 'Required.']),
      ),
      ...(events.length === 0 ? { events: 'Select at least one event.' } : {}),
    }),
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(provider, values);
      if (integration === undefined) return api('POST /api/admin/addons', { body: edited });
      const params = { id: integration.id };
      const loaded = bodyOf(provider, form.getInitialValues());
      const current = bodyOf(provider, valuesOf(provider, await api('GET /api/admin/addons/:id', { params })));
      // The server sends ***** in place of secrets, and keeps the secret when it gets ***** back.
      const body = { ...current, ...editedFields({ loaded, edited, current }) };
      return api('PUT /api/admin/addons/:id', { params, body });
    },
    changes: ['GET /api/admin/addons'],
    notice: integration === undefined ? 'Integration created' : 'Integration saved',
    onSaved: (saved) => {
      onClose();
      if ('signingSecret' in saved && typeof saved.signingSecret === 'string') onCreated?.(saved.signingSecret);
    },
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
      <EventFields form={form} provider={provider} saved={integration} />
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

/** The props of {@link EventFields}, which selects the events, projects and environments of the integration. */
interface EventFieldsProps {
  readonly form: IntegrationFormValues;
  readonly provider: Provider;
  readonly saved: Integration | undefined;
}

function EventFields({ form, provider, saved }: EventFieldsProps) {
  const { data: projects } = useQuery(projectsQuery);
  const { data: environments } = useQuery(environmentsQuery);
  const all = form.values.events.length === provider.events.length;
  const ofAutomation = automationEventTypes.filter((type) => provider.events.includes(type));
  return (
    <Fieldset legend="Events">
      <Stack gap="sm">
        <MultiSelect label="Event types" required searchable data={provider.events} {...form.getInputProps('events')} />
        <Group justify="space-between">
          <Checkbox
            label="All events"
            checked={all}
            onChange={({ currentTarget }) =>
              form.setFieldValue('events', currentTarget.checked ? [...provider.events] : [])
            }
          />
          <Button size="xs" variant="default" onClick={() => form.setFieldValue('events', [...ofAutomation])}>
            Tell this channel what automation does
          </Button>
        </Group>
        {ofAutomation.length < automationEventTypes.length && !provider.events.includes('action-run-failed') && (
          <Hint>An administrator can also choose the events of actions and signal endpoints.</Hint>
        )}
        <MultiSelect
          label="Projects"
          description="Leave empty for all."
          searchable
          data={projects?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          {...form.getInputProps('projects')}
        />
        <MultiSelect
          label="Environments"
          description="Leave empty for all."
          data={environments?.map(({ name }) => name) ?? []}
          {...form.getInputProps('environments')}
        />
        <Select
          label="Changes"
          data={[
            { value: 'any', label: 'All changes' },
            { value: 'person', label: 'Changes that no signal caused' },
            { value: 'signal', label: 'Changes that a signal caused' },
          ]}
          allowDeselect={false}
          {...form.getInputProps('cause')}
        />
        <ActorField form={form} saved={saved} />
        <Switch
          label="Keep the order of events"
          description="An event waits until the event before it is delivered or given up."
          {...form.getInputProps('ordered', { type: 'checkbox' })}
        />
      </Stack>
    </Fieldset>
  );
}

/** Selects the users and service accounts whose changes are sent. Only administrators can change the selection. */
function ActorField({ form, saved }: Omit<EventFieldsProps, 'provider'>) {
  const may = useMay();
  const isAdmin = may('ADMIN');
  const { data: people } = useQuery({ ...usersQuery, enabled: isAdmin });
  const { data: accounts } = useQuery({ ...serviceAccountsQuery, enabled: isAdmin });
  const known = [...(people?.users ?? []), ...(accounts ?? [])].map((account) => ({
    value: String(account.id),
    label: nameOf(account),
  }));
  const savedNames = new Map(saved?.actors.map((id, index) => [String(id), saved.actorNames[index]]));
  const others = form.values.actors.filter((id) => !known.some(({ value }) => value === id));
  return (
    <MultiSelect
      label="Made by"
      description={isAdmin ? 'Leave empty for all users and service accounts.' : 'You need the permission ADMIN.'}
      searchable
      disabled={!isAdmin}
      data={[...known, ...others.map((id) => ({ value: id, label: savedNames.get(id) ?? `Account ${id} (deleted)` }))]}
      {...form.getInputProps('actors')}
    />
  );
}

interface ParameterProps {
  readonly form: IntegrationFormValues;
  readonly parameter: Provider['parameters'][number];
  /** Whether the integration is saved already, so that the server may have a value of the parameter. */
  readonly saved: boolean;
}

function Parameter({ form, parameter, saved }: ParameterProps) {
  const { name, displayName, type, description, required, sensitive } = parameter;
  const secret = saved ? 'Stored as a secret; ***** is the saved value.' : 'Stored as a secret.';
  const common = {
    label: displayName,
    description: sensitive ? `${description} ${secret}` : description,
    required,
    autoComplete: 'off',
    ...form.getInputProps(`parameters.${name}`),
  };
  return type === 'textfield' ? <Textarea {...common} autosize minRows={2} maxRows={12} /> : <TextInput {...common} />;
}
