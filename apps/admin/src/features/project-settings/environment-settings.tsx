import { Badge, Button, Group, Stack, Switch, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type RouteKey } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { useReport } from '../../ui/report.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { type Environment, environmentsQuery } from '../environments/environment-queries.ts';
import { projectOverviewQuery } from '../flags/flag-queries.ts';
import { strategyInWords } from '../strategies/in-words.ts';
import { segmentsQuery } from '../strategies/strategy-queries.ts';
import { DefaultStrategyForm } from './default-strategy-form.tsx';
import type { ProjectOverview } from './project-overview.ts';
import { useSettingsProject } from './settings-layout.tsx';

type InProject = ProjectOverview['environments'][number];

const changes: readonly RouteKey[] = [
  'GET /api/admin/projects/:projectId/overview',
  'GET /api/admin/environments',
  'GET /api/admin/search/features',
  'GET /api/admin/projects/:projectId/features/:featureName',
  'GET /api/admin/projects/:projectId/change-requests/config',
];

/** Which environments the flags of a project have, and what flags get that are switched on there without a strategy. */
export function EnvironmentSettings() {
  const projectId = useSettingsProject();
  const environments = useQuery(environmentsQuery);
  const overview = useQuery(projectOverviewQuery(projectId));
  const [edited, setEdited] = useState<InProject>();
  const [removed, setRemoved] = useState<string>();
  return (
    <SectionCard
      title="Environments"
      description="The flags of the project have a state and strategies in each that is on. A flag that is switched on without a strategy of its own gets the default one."
    >
      <Loaded query={overview}>
        {(project) => (
          <Loaded query={environments}>
            {(list) => (
              <Table.ScrollContainer minWidth={320}>
                <Table verticalSpacing="sm">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Environment</Table.Th>
                      <Table.Th>In the project</Table.Th>
                      <Table.Th visibleFrom="sm">Default strategy</Table.Th>
                      <Table.Th w={80} aria-label="Actions" />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {list.map((environment) => (
                      <Row
                        key={environment.name}
                        projectId={projectId}
                        environment={environment}
                        inProject={project.environments.find((one) => one.environment === environment.name)}
                        onEdit={setEdited}
                        onRemove={() => setRemoved(environment.name)}
                      />
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )}
          </Loaded>
        )}
      </Loaded>
      {edited !== undefined && (
        <DefaultStrategyForm
          projectId={projectId}
          environment={edited.environment}
          strategy={edited.defaultStrategy}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed !== undefined && (
        <Confirm
          title="Remove the environment from the project?"
          action="Remove environment"
          run={() =>
            api('DELETE /api/admin/projects/:projectId/environments/:environment', {
              params: { projectId, environment: removed },
            })
          }
          changes={changes}
          onClose={() => setRemoved(undefined)}
        >
          The flags of the project are switched off in <b>{removed}</b>. Their strategies are back when it is added
          again; its default strategy is forgotten.
        </Confirm>
      )}
    </SectionCard>
  );
}

interface RowProps {
  readonly projectId: string;
  readonly environment: Environment;
  readonly inProject: InProject | undefined;
  readonly onEdit: (environment: InProject) => void;
  readonly onRemove: () => void;
}

function Row({ projectId, environment: { name, type }, inProject, onEdit, onRemove }: RowProps) {
  const add = useAdd(projectId, name);
  const place = { project: projectId };
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text fw={550} size="sm">
            {name}
          </Text>
          <Badge size="sm" variant="light" color={type === 'production' ? 'sea' : 'gray'} tt="none">
            {type}
          </Badge>
        </Group>
      </Table.Td>
      <Table.Td>
        <Permitted needs="UPDATE_PROJECT" place={place}>
          <Switch
            checked={inProject !== undefined || add.isPending}
            onChange={({ currentTarget }) => (currentTarget.checked ? add.mutate() : onRemove())}
            aria-label={`${name} is in the project`}
          />
        </Permitted>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {inProject !== undefined && <InWords strategy={inProject.defaultStrategy} />}
      </Table.Td>
      <Table.Td>
        {inProject !== undefined && (
          <Permitted needs={['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE']} place={place}>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onEdit(inProject)}
              aria-label={`Edit the default strategy of ${name}`}
            >
              Edit
            </Button>
          </Permitted>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function InWords({ strategy }: { readonly strategy: InProject['defaultStrategy'] }) {
  const { data: segments } = useQuery(segmentsQuery);
  if (strategy === undefined) return <Text size="sm">Everyone</Text>;
  const named = strategy.segments.map((id) => segments?.find((one) => one.id === id)?.name ?? `#${id}`);
  return (
    <Stack gap={2}>
      {strategy.title !== null && strategy.title !== '' && (
        <Text size="sm" fw={550}>
          {strategy.title}
        </Text>
      )}
      <Text size="sm" lineClamp={2}>
        {strategyInWords({ ...strategy, segments: named })}
      </Text>
    </Stack>
  );
}

function useAdd(projectId: string, environment: string) {
  const queries = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects/:projectId/environments', { params: { projectId }, body: { environment } }),
    onError: report,
    onSettled: () => Promise.all(changes.map((route) => queries.invalidateQueries({ queryKey: [route] }))),
  });
}
