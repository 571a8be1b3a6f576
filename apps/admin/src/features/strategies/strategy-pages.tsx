import { Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type EditedChange, useEditedChange } from '../../entities/change-requests/edited-change.ts';
import { projectContextQuery } from '../../entities/constraints/context-queries.ts';
import { flagQuery, projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { ProjectCrumbs } from '../../entities/flags/project-crumbs.tsx';
import { definitionsQuery, type FeatureStrategy, segmentsQuery } from '../../entities/strategies/strategy-queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { askedDraftOf, newStrategy, type StrategyDraft, strategyDraftOf } from './draft.ts';
import { StrategyEditor } from './strategy-editor.tsx';
import type { StrategySearch } from './strategy-search.ts';

const createRoute = getRouteApi('/projects/$projectId/features/$featureName/strategies/create');
const editRoute = getRouteApi('/projects/$projectId/features/$featureName/strategies/edit');

/** The page that adds a strategy to a flag. */
export function CreateStrategyPage() {
  return <StrategyPage {...createRoute.useParams()} search={createRoute.useSearch()} />;
}

/** The page that edits a strategy of a flag. */
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
    // Loaded for the initial draft only: later reloads of these queries do not change the draft.
    queries: [
      flagQuery(params),
      projectOverviewQuery(projectId),
      definitionsQuery,
      segmentsQuery,
      projectContextQuery(projectId),
    ],
  });
  const edited = useEditedChange(projectId, search, ['addStrategy', 'updateStrategy']);
  const failed = [flag, project, definitions, segments, fields, edited].find(({ error }) => error !== null);
  const state = flag.data?.environments.find(({ name }) => name === environment);
  const strategy = state?.strategies?.find(({ id }) => id === strategyId);
  const loaded = flag.data && project.data && definitions.data && segments.data && fields.data;
  const ready = loaded && !edited.isLoading;
  const missing =
    ready && (state === undefined || (strategyId !== undefined && strategy === undefined) || edited.isMissing);
  return (
    <Page
      title={titleOf(search)}
      description={
        <ProjectCrumbs projectId={projectId}>
          <TextLink to="/projects/$projectId/features/$featureName" params={params} size="sm">
            {featureName}
          </TextLink>
          <Text size="sm">{environment}</Text>
        </ProjectCrumbs>
      }
    >
      {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!ready && !failed && <TableSkeleton rows={8} />}
      {missing && <Missing {...params} />}
      {loaded && ready && !missing && (
        <StrategyEditor
          key={`${environment} ${strategyId} ${search.changeId}`}
          projectId={projectId}
          featureName={featureName}
          environment={environment}
          strategyId={strategyId}
          change={edited.change}
          initial={initialOf(
            strategy,
            edited.change,
            newStrategy(strategyName, featureName, project.data.defaultStickiness),
          )}
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

const titleOf = ({ strategyId, changeId }: StrategySearch) =>
  changeId !== undefined ? 'Edit the change' : strategyId === undefined ? 'Add a strategy' : 'Edit the strategy';

function initialOf(
  strategy: FeatureStrategy | undefined,
  change: EditedChange | undefined,
  empty: StrategyDraft,
): StrategyDraft {
  if (change !== undefined) return askedDraftOf(change.payload, strategy, empty);
  return strategy === undefined ? empty : strategyDraftOf(strategy);
}

function Missing(params: { readonly projectId: string; readonly featureName: string }) {
  return (
    <EmptyState
      title="Strategy not found"
      action={
        <ButtonLink to="/projects/$projectId/features/$featureName" params={params}>
          Go to the flag
        </ButtonLink>
      }
    >
      The strategy, its requested change or the environment may have been removed.
    </EmptyState>
  );
}
