import { Alert, Button, Grid, MultiSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDidUpdate } from '@mantine/hooks';
import { hashKey, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { environmentsQuery } from '../../entities/environments/environment-queries.ts';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { api } from '../../lib/api.ts';
import { errorsByPath, problemAt } from '../../lib/error-messages.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ContextEditor } from './context-editor.tsx';
import { PlaygroundResults } from './playground-results.tsx';
import type { PlaygroundSearch } from './playground-search.ts';

const route = getRouteApi('/playground');

/** The playground: evaluates flags for a context and explains the results. */
export function PlaygroundPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const evaluation = useEvaluation(search);
  const problems = evaluation.error === null ? none : errorsByPath(evaluation.error).paths;
  return (
    <Page
      title={titleOf('/playground')}
      description="Evaluate flags for a context, as SDKs do, and see why they are on or off."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <InputForm
            initial={search}
            problems={problems}
            onTry={({ environments, projects, context }) => {
              const next = {
                environments,
                ...(projects.length === 0 ? {} : { projects }),
                ...(Object.keys(context).length === 0 ? {} : { context }),
                ...(search.query === undefined ? {} : { query: search.query }),
                ...(search.changeRequest === undefined ? {} : { changeRequest: search.changeRequest }),
              };
              // The same address loads nothing, but the flags may have changed since the last evaluation.
              if (hashKey([next]) === hashKey([search])) void evaluation.refetch();
              else void navigate({ search: next });
            }}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          {search.environments === undefined ? (
            <EmptyState title="No results yet">
              Select environments, enter a context, and run the evaluation.
            </EmptyState>
          ) : (
            <Results
              query={evaluation}
              isAtField={Object.keys(problems).length > 0}
              search={search}
              environments={search.environments}
              onQuery={(query) =>
                void navigate({
                  search: ({ query: _before, ...rest }) => ({ ...rest, ...(query === undefined ? {} : { query }) }),
                  replace: true,
                })
              }
            />
          )}
        </Grid.Col>
      </Grid>
    </Page>
  );
}

interface PlaygroundInput {
  readonly environments: string[];
  readonly projects: string[];
  readonly context: Record<string, string>;
}

interface InputFormProps {
  readonly initial: PlaygroundSearch;
  /** The errors of the evaluation, by path: `context.currentTime`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onTry: (input: PlaygroundInput) => void;
}

const none: Readonly<Record<string, string>> = {};

interface InputValues {
  readonly environments: string[];
  readonly projects: string[];
  readonly context: readonly [string, string][];
}

/** Returns the values of the form for the input in the address. */
function valuesOf({ environments = [], projects = [], context }: PlaygroundSearch): InputValues {
  return {
    environments: [...environments],
    projects: [...projects],
    context: Object.entries(context ?? { appName: 'playground' }),
  };
}

function inputOf({ context, ...rest }: InputValues): PlaygroundInput {
  return { ...rest, context: Object.fromEntries(context.filter(([name]) => name !== '')) };
}

function InputForm({ initial, problems, onTry }: InputFormProps) {
  const { data: environments } = useQuery(environmentsQuery);
  const { data: projects } = useQuery(projectsQuery);
  const form = useForm<InputValues>({
    initialValues: valuesOf(initial),
    validate: {
      environments: (chosen) => (chosen.length === 0 ? 'Select an environment.' : null),
    },
  });
  // Changes when the address sets other values than the form has, such as after going back.
  const [replaced, setReplaced] = useState(0);
  useDidUpdate(() => {
    const values = valuesOf(initial);
    if (hashKey([inputOf(values)]) === hashKey([inputOf(form.values)])) return;
    form.setValues(values);
    setReplaced((count) => count + 1);
  }, [hashKey([inputOf(valuesOf(initial))])]);
  return (
    <SectionCard title="Evaluation">
      <form onSubmit={form.onSubmit((values) => onTry(inputOf(values)))} noValidate>
        <Stack>
          <MultiSelect
            label="Environments"
            description={initial.changeRequest === undefined ? undefined : 'Set by the change request.'}
            required
            searchable
            disabled={initial.changeRequest !== undefined}
            data={environments?.map(({ name }) => name) ?? []}
            {...form.getInputProps('environments')}
            error={form.errors.environments ?? problemAt(problems, 'environments')}
          />
          <MultiSelect
            label="Projects"
            placeholder={form.values.projects.length === 0 ? 'All projects' : ''}
            data={projects?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            searchable
            {...form.getInputProps('projects')}
            error={problemAt(problems, 'projects')}
          />
          <ContextEditor
            key={replaced}
            context={form.values.context}
            problems={problems}
            onChange={(context) => form.setFieldValue('context', [...context])}
          />
          <Button type="submit">Evaluate flags</Button>
        </Stack>
      </form>
    </SectionCard>
  );
}

/** Evaluates the flags for the context in the address. */
function useEvaluation({ environments, projects, context = {}, changeRequest }: PlaygroundSearch) {
  const body = {
    projects: projects === undefined ? '*' : [...projects],
    context: { appName: 'playground', ...context },
  } as const;
  return useQuery({
    queryKey: ['POST /api/admin/playground/advanced', environments, projects, context, changeRequest],
    queryFn: () =>
      changeRequest === undefined
        ? api('POST /api/admin/playground/advanced', { body: { ...body, environments: [...(environments ?? [])] } })
        : api('POST /api/admin/playground/change-request/:id', { params: { id: changeRequest }, body }),
    enabled: environments !== undefined,
    staleTime: 0,
  });
}

/** Says that the results are computed as if a change request were applied, with a link to the current results. */
function ChangeRequestNote({ search: { changeRequest: id, ...now } }: { readonly search: PlaygroundSearch }) {
  return (
    <Alert color="yellow" variant="light" title={`As if change request #${id} were applied`}>
      <TextLink to="/playground" search={now} size="sm">
        Show the current state
      </TextLink>
    </Alert>
  );
}

interface ResultsProps {
  readonly query: ReturnType<typeof useEvaluation>;
  /** Whether the errors are shown at the fields of the form. The results then only refer to these fields. */
  readonly isAtField: boolean;
  readonly search: PlaygroundSearch;
  readonly environments: readonly string[];
  readonly onQuery: (query: string | undefined) => void;
}

function Results({ query: evaluation, isAtField, search, environments, onQuery }: ResultsProps) {
  const { query, changeRequest } = search;
  if (isAtField) return <EmptyState title="Invalid input">Correct the marked fields and try again.</EmptyState>;
  return (
    <Stack>
      {changeRequest !== undefined && <ChangeRequestNote search={search} />}
      <SearchInput value={query} label="Search flags" onChange={onQuery} />
      <Loaded query={evaluation}>
        {({ features, warnings }) => (
          <>
            {warnings.invalidContextProperties.length > 0 && (
              <Alert color="yellow" variant="light" title="Ignored context fields">
                <Text size="sm">{warnings.invalidContextProperties.join(', ')}</Text>
              </Alert>
            )}
            <PlaygroundResults features={features} environments={environments} query={query} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}
