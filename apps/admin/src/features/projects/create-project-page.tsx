import { Alert, Button, Card, Group, MultiSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { environmentsQuery } from '../../entities/environments/environment-queries.ts';
import { api } from '../../lib/api.ts';
import { errorsByField } from '../../lib/error-messages.ts';
import { meQuery } from '../../lib/me.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { type Mode, ModeChoice } from './mode-choice.tsx';

const fields = ['id', 'name', 'description', 'mode', 'environments'];

/** The form of a new project. */
export function CreateProjectPage() {
  return (
    <Page
      title="New project"
      description={
        <TextLink to="/projects" size="sm">
          Projects
        </TextLink>
      }
    >
      <CreateProjectForm />
    </Page>
  );
}

/** Returns the id that the server would derive from a name. */
function idFrom(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
}

function useCreate() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { id: string; name: string; description: string | null; mode: Mode; environments?: string[] }) =>
      api('POST /api/admin/projects', { body }),
    onSuccess: async ({ id: projectId }) => {
      await navigate({ to: '/projects/$projectId', params: { projectId } });
      // The creator becomes the owner of the project, so the permissions of the user change too.
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['GET /api/admin/projects'] }),
        queries.invalidateQueries(meQuery),
      ]);
    },
  });
}

function CreateProjectForm() {
  const [name, setName] = useState('');
  const [typedId, setTypedId] = useState<string>();
  const [description, setDescription] = useState('');
  const [mode, setMode] = useState<Mode>('open');
  const [environments, setEnvironments] = useState<string[]>();
  const id = typedId ?? idFrom(name);
  const create = useCreate();
  const taken = useIdProblem(id, !create.isPending && !create.isSuccess);
  const problem = create.error === null ? undefined : errorsByField(create.error, fields);
  return (
    <Card withBorder padding="lg" maw={720}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          create.mutate({
            id,
            name,
            description: description === '' ? null : description,
            mode,
            ...(environments === undefined ? {} : { environments }),
          });
        }}
        noValidate
      >
        <Stack>
          <TextInput
            label="Name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={problem?.fields.name}
            autoComplete="off"
            required
            data-autofocus
          />
          <TextInput
            label="Project ID"
            description="Used in URLs and API tokens. It cannot be changed later."
            value={id}
            onChange={({ currentTarget }) => setTypedId(currentTarget.value)}
            error={taken ?? problem?.fields.id}
            autoComplete="off"
            required
          />
          <Textarea
            label="Description"
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            error={problem?.fields.description}
            autosize
            minRows={2}
          />
          <ModeChoice value={mode} onChange={setMode} error={problem?.fields.mode} />
          <EnvironmentsInput chosen={environments} onChange={setEnvironments} error={problem?.fields.environments} />
          {problem?.rest !== undefined && (
            <Alert color="red" role="alert">
              {problem.rest}
            </Alert>
          )}
          <Group>
            <Permitted needs="CREATE_PROJECT">
              <Button type="submit" loading={create.isPending}>
                Create project
              </Button>
            </Permitted>
            <ButtonLink to="/projects" variant="default">
              Cancel
            </ButtonLink>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

interface EnvironmentsProps {
  /** The selected environments; all enabled ones until the user selects some. */
  readonly chosen: string[] | undefined;
  readonly error: string | undefined;
  readonly onChange: (names: string[]) => void;
}

function EnvironmentsInput({ chosen, error, onChange }: EnvironmentsProps) {
  const { data } = useQuery(environmentsQuery);
  const usual = data?.filter(({ enabled }) => enabled).map(({ name }) => name);
  return (
    <MultiSelect
      label="Environments"
      description="The environments of its flags. You can add more later."
      data={data?.map(({ name }) => name) ?? []}
      value={chosen ?? usual ?? []}
      onChange={onChange}
      error={error}
    />
  );
}

/**
 * Returns the error of an id. The server validates the id, with a delay while the user types, until the project is
 * being created.
 */
function useIdProblem(id: string, enabled: boolean): string | undefined {
  const [settled] = useDebouncedValue(id, 300);
  const checked = useQuery({
    queryKey: ['POST /api/admin/projects/validate', settled],
    queryFn: async () => {
      await api('POST /api/admin/projects/validate', { body: { id: settled } });
      return true;
    },
    enabled: enabled && settled !== '',
    staleTime: 0,
  });
  if (settled !== id || id === '' || checked.error === null) return undefined;
  const { fields: found, rest } = errorsByField(checked.error, ['id']);
  return found.id ?? rest;
}
