import { MultiSelect, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { tokenRoutes } from '../../entities/api-tokens/token-queries.ts';
import { environmentNamesQuery } from '../../entities/environments/environment-queries.ts';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useMay } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { ExpiryField, expiryProblem } from '../../ui/expiry-field.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';

interface Props {
  /** The project of the token; undefined when the user selects projects in the form. */
  readonly projectId: string | undefined;
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

interface Values extends Record<string, unknown> {
  tokenName: string;
  type: (typeof types)[number]['value'];
  /** Empty for all projects. */
  projects: string[];
  environment: string;
  expiresAt: string | null;
}

const types = [
  {
    value: 'backend',
    permission: 'CREATE_CLIENT_API_TOKEN',
    label: 'Backend',
    description: 'For server-side SDKs, which evaluate flags themselves.',
  },
  {
    value: 'frontend',
    permission: 'CREATE_FRONTEND_API_TOKEN',
    label: 'Frontend',
    description: 'For web pages and apps, which get evaluated flags.',
  },
  {
    value: 'replica',
    permission: 'ADMIN',
    label: 'Replica',
    description: 'For a server beside this one, which serves SDKs from its flags.',
  },
] as const;

const everyEnvironment = { value: '*', label: 'All environments' };

/** Creates an API token. */
export function ApiTokenForm({ projectId, onMade, onClose }: Props) {
  const may = useMay();
  const projects = useQuery(apiQuery('GET /api/admin/projects', {}, ({ projects }) => projects));
  const { data: environments = [] } = useQuery(environmentNamesQuery(projectId));
  const allowed = (permission: string) => projectId !== undefined || may(['ADMIN', permission]);
  const firstType = types.find(({ permission }) => allowed(permission))?.value ?? 'backend';
  const form = useForm<Values>({
    initialValues: { tokenName: '', type: firstType, projects: [], environment: 'development', expiresAt: null },
    // Validated here, because the server accepts an expiry in the past.
    validate: { expiresAt: expiryProblem },
  });
  const selected = form.values.environment;
  // The project may lack the selected environment, such as the initial one.
  const isReplica = form.values.type === 'replica';
  const choices = isReplica ? [everyEnvironment.value, ...environments] : environments;
  const environment = choices.includes(selected) ? selected : (choices[0] ?? selected);
  const saving = useSaving(form, {
    save: ({ projects: chosen, ...rest }) => {
      const body = { ...rest, environment };
      if (projectId !== undefined && body.type !== 'replica')
        return api('POST /api/admin/projects/:projectId/api-tokens', {
          params: { projectId },
          body: { ...body, type: body.type },
        });
      return api('POST /api/admin/api-tokens', { body: { ...body, projects: chosen.length === 0 ? ['*'] : chosen } });
    },
    changes: tokenRoutes,
    onSaved: ({ secret }) => {
      onClose();
      onMade(secret);
    },
  });
  return (
    <FormDrawer title="New API token" save="Create API token" saving={saving} onClose={onClose}>
      <TextInput
        label="Token name"
        description="The application that uses this token."
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('tokenName')}
      />
      <Radio.Group label="Type" {...form.getInputProps('type')}>
        <Stack gap="xs" mt={4}>
          {types
            .filter(({ value }) => projectId === undefined || value !== 'replica')
            .map(({ value, permission, label, description }) => (
              <Radio
                key={value}
                value={value}
                label={label}
                description={allowed(permission) ? description : `You need the permission ${permission}.`}
                disabled={!allowed(permission)}
              />
            ))}
        </Stack>
      </Radio.Group>
      {projectId === undefined && (
        <MultiSelect
          label="Projects"
          description="Leave empty for all projects, including future ones."
          data={projects.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          searchable
          clearable
          hidePickedOptions
          {...form.getInputProps('projects')}
        />
      )}
      <Select
        label="Environment"
        data={
          isReplica ? [everyEnvironment, ...environments.map((name) => ({ value: name, label: name }))] : environments
        }
        allowDeselect={false}
        {...form.getInputProps('environment')}
        value={environment}
      />
      <ExpiryField optional {...form.getInputProps('expiresAt')} />
    </FormDrawer>
  );
}
