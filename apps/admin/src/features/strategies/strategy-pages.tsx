import { Breadcrumbs, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { projectContextQuery } from '../constraints/context-queries.ts';
import { flagQuery, projectOverviewQuery } from '../flags/flag-queries.ts';
import { newStrategy, strategyDraftOf } from './draft.ts';
import { StrategyEditor } from './strategy-editor.tsx';
import { definitionsQuery, segmentsQuery } from './strategy-queries.ts';
import type { StrategySearch } from './strategy-search.ts';

const createRoute = getRouteApi('/projects/$projectId/features/$featureName/strategies/create');
const editRoute = getRouteApi('/projects/$projectId/features/$featureName/strategies/edit');

/** Where a strategy is added to a flag. */
export function CreateStrategyPage() {
  return <StrategyPage {...createRoute.useParams()} search={createRoute.useSearch()} />;
}

/** Where a strategy of a flag is edited. */
export function EditStrategyPage() {
  return <StrategyPage {...editRoute.useParams()} search={editRoute.useSearch()} />;
}

interface Props {
  readonly projectId: string;
  readonly featureName: string;
  readonly search: StrategySearch;
}

function StrategyPage({ projectId, featureName, search }: Props) {
  const { environmentId: environment, strategyId, strategyName = 'flexibleRollout' } = search;
  const params = { projectId, featureName };
  const [flag, project, definitions, segments, fields] = useQueries({
    // What is edited does not change below the hands of whoever edits it.
    queries: [
      flagQuery(params),
      projectOverviewQuery(projectId),
      definitionsQuery,
      segmentsQuery,
      projectContextQuery(projectId),
    ],
  });
  const failed = [flag, project, definitions, segments, fields].find(({ error }) => error !== null);
  const state = flag.data?.environments.find(({ name }) => name === environment);
  const strategy = state?.strategies?.find(({ id }) => id === strategyId);
  const loaded = flag.data && project.data && definitions.data && segments.data && fields.data;
  const missing = loaded && (state === undefined || (strategyId !== undefined && strategy === undefined));
  return (
    <Page
      title={strategyId === undefined ? 'Add a strategy' : 'Edit the strategy'}
      description={
        <Breadcrumbs>
          <TextLink to="/projects/$projectId" params={{ projectId }} size="sm">
            {project.data?.name ?? projectId}
          </TextLink>
          <TextLink to="/projects/$projectId/features/$featureName" params={params} size="sm">
            {featureName}
          </TextLink>
          <Text size="sm">{environment}</Text>
        </Breadcrumbs>
      }
    >
      {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!loaded && !failed && <TableSkeleton rows={8} />}
      {missing && <Missing {...params} />}
      {loaded && !missing && (
        <StrategyEditor
          key={`${environment} ${strategyId}`}
          projectId={projectId}
          featureName={featureName}
          environment={environment}
          strategyId={strategyId}
          initial={
            strategy === undefined
              ? newStrategy(strategyName, featureName, project.data.defaultStickiness)
              : strategyDraftOf(strategy)
          }
          known={{
            definitions: definitions.data,
            segments: segments.data.filter((segment) => segment.project === null || segment.project === projectId),
            fields: fields.data,
          }}
        />
      )}
    </Page>
  );
}

function Missing(params: { readonly projectId: string; readonly featureName: string }) {
  return (
    <EmptyState
      title="There is no such strategy"
      action={
        <ButtonLink to="/projects/$projectId/features/$featureName" params={params}>
          Go to the flag
        </ButtonLink>
      }
    >
      It may have been deleted meanwhile, or the environment been taken out of the project.
    </EmptyState>
  );
}
