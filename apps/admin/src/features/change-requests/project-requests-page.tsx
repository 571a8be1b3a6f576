import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { closedStates, openStates } from '../../entities/change-requests/request-queries.ts';
import { ProjectCrumbs } from '../../entities/flags/project-crumbs.tsx';
import { useEachNewer } from '../../lib/activity.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { OpenOrClosed } from './change-requests-page.tsx';
import { RequestTable } from './request-table.tsx';

const route = getRouteApi('/projects/$projectId/change-requests');

/** The change requests of a project. */
export function ProjectRequestsPage() {
  const { projectId } = route.useParams();
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const requests = useQuery(apiQuery('GET /api/admin/projects/:projectId/change-requests', { params: { projectId } }));
  useEachNewer('changeRequests', requests.refetch);
  const states = state === 'closed' ? closedStates : openStates;
  return (
    <Page
      title="Change requests"
      description={
        <ProjectCrumbs projectId={projectId}>
          <Text size="sm">Change requests</Text>
        </ProjectCrumbs>
      }
    >
      <div>
        <OpenOrClosed
          closed={state === 'closed'}
          onChange={(closed) => void navigate({ search: closed ? { state: 'closed' } : {} })}
        />
      </div>
      <Loaded query={requests}>
        {(all) => {
          const shown = all.filter((request) => states.includes(request.state));
          return shown.length === 0 ? (
            <EmptyState
              title="No change requests"
              action={
                <ButtonLink to="/projects/$projectId/settings/change-requests" params={{ projectId }} variant="default">
                  Review settings
                </ButtonLink>
              }
            >
              Where review is required, changes to flags become change requests.
            </EmptyState>
          ) : (
            <RequestTable requests={shown} />
          );
        }}
      </Loaded>
    </Page>
  );
}
