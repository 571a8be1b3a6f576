import { Alert, Button, Grid, MultiSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../lib/api.ts';
import { byPath, problemAt } from '../../lib/problems.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { environmentsQuery } from '../environments/environment-queries.ts';
import { projectsQuery } from '../projects/project-queries.ts';
import { ContextEditor } from './context-editor.tsx';
import { PlaygroundResults } from './playground-results.tsx';
import type { PlaygroundSearch } from './playground-search.ts';

const route = getRouteApi('/playground');

/** Tries what flags are for somebody, and tells why. */
export function PlaygroundPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tried = useTried(search);
  const problems = tried.error === null ? none : byPath(tried.error).paths;
  return (
    <Page
      title={titleOf('/playground')}
      description="What flags are for somebody, and why: evaluated as SDKs do it, without any SDK."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Asking
            initial={search}
            problems={problems}
            onTry={({ environments, projects, context }) =>
              void navigate({
                search: {
                  environments,
                  ...(projects.length === 0 ? {} : { projects }),
                  ...(Object.keys(context).length === 0 ? {} : { context }),
                  ...(search.query === undefined ? {} : { query: search.query }),
                  ...(search.changeRequest === undefined ? {} : { changeRequest: search.changeRequest }),
                },
              })
            }
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          {search.environments === undefined ? (
            <EmptyState title="Nothing tried yet">
              Choose environments, say who somebody is, and see what they get.
            </EmptyState>
          ) : (
            <Tried
              query={tried}
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

interface Asked {
  readonly environments: string[];
  readonly projects: string[];
  readonly context: Record<string, string>;
}

interface AskingProps {
  readonly initial: PlaygroundSearch;
  /** What the server has against what was tried, by path: `context.currentTime`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onTry: (asked: Asked) => void;
}

const none: Readonly<Record<string, string>> = {};

function Asking({ initial, problems, onTry }: AskingProps) {
  const { data: environments } = useQuery(environmentsQuery);
  const { data: projects } = useQuery(projectsQuery);
  const form = useForm<{ environments: string[]; projects: string[]; context: readonly [string, string][] }>({
    initialValues: {
      environments: [...(initial.environments ?? [])],
      projects: [...(initial.projects ?? [])],
      context: Object.entries(initial.context ?? { appName: 'playground' }),
    },
    validate: {
      environments: (chosen) => (chosen.length === 0 ? 'Choose an environment.' : null),
    },
  });
  return (
    <SectionCard title="Who asks">
      <form
        onSubmit={form.onSubmit(({ context, ...rest }) =>
          onTry({ ...rest, context: Object.fromEntries(context.filter(([name]) => name !== '')) }),
        )}
        noValidate
      >
        <Stack>
          <MultiSelect
            label="Environments"
            description={initial.changeRequest === undefined ? undefined : 'That of the change request.'}
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
            context={form.values.context}
            problems={problems}
            onChange={(context) => form.setFieldValue('context', [...context])}
          />
          <Button type="submit">Try configuration</Button>
        </Stack>
      </form>
    </SectionCard>
  );
}

/** Tries what the address says, once it says something. */
function useTried({ environments, projects, context = {}, changeRequest }: PlaygroundSearch) {
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
  });
}

/** Says that what is shown is not so yet, and leads to what is. */
function Supposed({ search: { changeRequest: id, ...now } }: { readonly search: PlaygroundSearch }) {
  return (
    <Alert color="yellow" variant="light" title={`As if change request #${id} were applied`}>
      <TextLink to="/playground" search={now} size="sm">
        Show what flags are now
      </TextLink>
    </Alert>
  );
}

interface TriedProps {
  readonly query: ReturnType<typeof useTried>;
  /** Whether what is wrong is told at the fields. */
  readonly isAtField: boolean;
  readonly search: PlaygroundSearch;
  readonly environments: readonly string[];
  readonly onQuery: (query: string | undefined) => void;
}

function Tried({ query: tried, isAtField, search, environments, onQuery }: TriedProps) {
  const { query, changeRequest } = search;
  if (isAtField) return <EmptyState title="This cannot be tried">What is wrong is said where it is typed.</EmptyState>;
  return (
    <Stack>
      {changeRequest !== undefined && <Supposed search={search} />}
      <SearchInput value={query} label="Search flags" onChange={onQuery} />
      <Loaded query={tried}>
        {({ features, warnings }) => (
          <>
            {warnings.invalidContextProperties.length > 0 && (
              <Alert color="yellow" variant="light" title="Left out of the context">
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
