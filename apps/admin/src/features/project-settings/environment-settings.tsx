import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Environment, environmentsQuery } from '../../entities/environments/environment-queries.ts';
import { projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { describeStrategy } from '../../entities/strategies/describe-strategy.ts';
import { segmentsQuery } from '../../entities/strategies/strategy-queries.ts';
import { api, type RouteKey } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { RowName, SmallBadge } from '../../ui/text.tsx';
import { useChange } from '../../ui/use-change.ts';
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

/** The environments of a project and their default strategies. */
export function EnvironmentSettings() {
  const projectId = useSettingsProject();
  const environments = useQuery(environmentsQuery);
  const overview = useQuery(projectOverviewQuery(projectId));
  const [edited, setEdited] = useState<InProject>();
  const [removed, setRemoved] = useState<string>();
  return (
    <SectionCard
      title="Environments"
      description="Flags have a state and strategies in each enabled environment. A flag without strategies gets the default strategy when it is switched on."
    >
      <Loaded query={overview}>
        {(project) => (
          <Loaded query={environments}>
            {(list) => (
              <Listing
                rows={list}
                rowKey={({ name }) => name}
                columns={columnsOf(projectId, project, setEdited, setRemoved)}
              />
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
          All flags of the project are switched off in <b>{removed}</b>. Their strategies return if the environment is
          added again; its default strategy does not.
        </Confirm>
      )}
    </SectionCard>
  );
}

function columnsOf(
  projectId: string,
  project: ProjectOverview,
  onEdit: (environment: InProject) => void,
  onRemove: (environment: string) => void,
): readonly Column<Environment>[] {
  const inProject = ({ name }: Environment) => project.environments.find((state) => state.environment === name);
  return [
    { header: 'Environment', cell: (environment) => <EnvironmentName environment={environment} /> },
    {
      header: 'In the project',
      cell: (environment) => (
        <InProjectSwitch
          projectId={projectId}
          environment={environment.name}
          isInProject={inProject(environment) !== undefined}
          onRemove={() => onRemove(environment.name)}
        />
      ),
    },
    {
      header: 'Default strategy',
      visibleFrom: 'sm',
      cell: (environment) => {
        const own = inProject(environment);
        return own !== undefined && <InWords strategy={own.defaultStrategy} />;
      },
    },
    {
      label: 'Actions',
      width: 80,
      cell: (environment) => {
        const own = inProject(environment);
        return own !== undefined && <EditButton projectId={projectId} environment={own} onEdit={onEdit} />;
      },
    },
  ];
}

function EnvironmentName({ environment: { name, type } }: { readonly environment: Environment }) {
  return (
    <Group gap="xs">
      <RowName>{name}</RowName>
      <SmallBadge color={type === 'production' ? 'sea' : 'gray'}>{type}</SmallBadge>
    </Group>
  );
}

interface SwitchProps {
  readonly projectId: string;
  readonly environment: string;
  readonly isInProject: boolean;
  readonly onRemove: () => void;
}

function InProjectSwitch({ projectId, environment, isInProject, onRemove }: SwitchProps) {
  const add = useAdd(projectId, environment);
  return (
    <Permitted needs="UPDATE_PROJECT" place={{ project: projectId }} stays>
      <Switch
        checked={isInProject || add.isPending}
        onChange={({ currentTarget }) => (currentTarget.checked ? add.mutate() : onRemove())}
        aria-label={`${environment} is in the project`}
      />
    </Permitted>
  );
}

interface EditProps {
  readonly projectId: string;
  readonly environment: InProject;
  readonly onEdit: (environment: InProject) => void;
}

function EditButton({ projectId, environment, onEdit }: EditProps) {
  return (
    <Permitted needs={['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE']} place={{ project: projectId }}>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => onEdit(environment)}
        aria-label={`Edit the default strategy of ${environment.environment}`}
      >
        Edit
      </Button>
    </Permitted>
  );
}

function InWords({ strategy }: { readonly strategy: InProject['defaultStrategy'] }) {
  const { data: segments } = useQuery(segmentsQuery);
  if (strategy === undefined) return <Text size="sm">Everyone</Text>;
  const named = strategy.segments.map((id) => segments?.find((segment) => segment.id === id)?.name ?? `#${id}`);
  return (
    <Stack gap={2}>
      {strategy.title !== null && strategy.title !== '' && <RowName>{strategy.title}</RowName>}
      <Text size="sm" lineClamp={2}>
        {describeStrategy({ ...strategy, segments: named })}
      </Text>
    </Stack>
  );
}

function useAdd(projectId: string, environment: string) {
  return useChange({
    run: () =>
      api('POST /api/admin/projects/:projectId/environments', { params: { projectId }, body: { environment } }),
    changes,
  });
}
