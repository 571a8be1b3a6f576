import { Alert, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { environmentNamesQuery } from '../../entities/environments/environment-queries.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { TextLink } from '../../ui/link.tsx';
import type { FirstAlertSearch } from './first-alert-search.ts';

interface Props {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly search: FirstAlertSearch & { readonly project: string };
  readonly onSearch: (part: FirstAlertSearch) => void;
}

/** The maximum number of flags that are offered. Other flags can be chosen in the full form. */
const mostFlags = 100;

/** Chooses the project, the flag and the environment that an action changes. */
export function FlagChoice({ projects, search, onSearch }: Props) {
  const { project } = search;
  const route = 'GET /api/admin/search/features';
  const { data: flags } = useQuery(
    apiQuery(
      route,
      {
        query: { project: `IS:${project}`, limit: String(mostFlags), sortBy: 'createdAt', sortOrder: 'desc' },
      },
      ({ features }) => features,
    ),
  );
  const { data: environments } = useQuery(environmentNamesQuery(project));
  const flag = search.flag ?? flags?.[0]?.name;
  const environment = search.environment ?? environments?.[0];
  const isComplete = flag !== undefined && environment !== undefined;
  const isKnown = search.flag !== undefined && search.environment !== undefined;
  useEffect(() => {
    if (isComplete && !isKnown) onSearch({ project, flag, environment });
  }, [isComplete, isKnown, onSearch, project, flag, environment]);
  if (flags?.length === 0)
    return (
      <Alert color="gray">
        The project has no flags.{' '}
        <TextLink to="/projects/$projectId/create-flag" params={{ projectId: project }} inherit underline="always">
          Create a flag
        </TextLink>{' '}
        and return to this page.
      </Alert>
    );
  return (
    <Group gap="sm" align="flex-start">
      <Select
        label="Project"
        data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        value={project}
        allowDeselect={false}
        flex="1 1 160px"
        onChange={(id) => id !== null && onSearch({ project: id, flag: undefined, environment: undefined })}
      />
      <Select
        label="Feature flag"
        data={[...new Set([...(flag === undefined ? [] : [flag]), ...(flags ?? []).map(({ name }) => name)])]}
        value={flag ?? null}
        allowDeselect={false}
        searchable
        flex="1 1 160px"
        onChange={(name) => name !== null && onSearch({ project, environment, flag: name })}
      />
      <Select
        label="Environment"
        data={[...(environments ?? [])]}
        value={environment ?? null}
        allowDeselect={false}
        flex="1 1 160px"
        onChange={(name) => name !== null && onSearch({ project, flag, environment: name })}
      />
    </Group>
  );
}
