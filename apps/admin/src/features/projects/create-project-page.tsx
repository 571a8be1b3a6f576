import { Alert, Button, Card, Group, MultiSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { meQuery } from '../../lib/me.ts';
import { byField } from '../../lib/problems.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { environmentsQuery } from '../environments/environment-queries.ts';
import { type Mode, ModeChoice } from './mode-choice.tsx';

const fields = ['id', 'name', 'description', 'mode', 'environments'];

/** Where a project is made. */
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

/** An id as the server would make it from the name. */
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
      // Who makes a project owns it, so what they may do has changed too.
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
  const problem = create.error === null ? undefined : byField(create.error, fields);
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
            label="Project id"
            description="Stands in addresses and API tokens; it cannot be changed."
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
  /** Those that are on are meant when none were chosen yet. */
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
      description="In which its flags can be switched; more can be added later."
      data={data?.map(({ name }) => name) ?? []}
      value={chosen ?? usual ?? []}
      onChange={onChange}
      error={error}
    />
  );
}

/** What the server has against an id, asked a moment after it was typed; once it is made it is no longer asked. */
function useIdProblem(id: string, asked: boolean): string | undefined {
  const [settled] = useDebouncedValue(id, 300);
  const checked = useQuery({
    queryKey: ['POST /api/admin/projects/validate', settled],
    queryFn: async () => {
      await api('POST /api/admin/projects/validate', { body: { id: settled } });
      return true;
    },
    enabled: asked && settled !== '',
    staleTime: 0,
  });
  if (settled !== id || id === '' || checked.error === null) return undefined;
  const { fields: found, rest } = byField(checked.error, ['id']);
  return found.id ?? rest;
}
