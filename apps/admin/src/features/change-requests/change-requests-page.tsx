import { Group, Pagination, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../lib/api.ts';
import { meQuery } from '../../lib/me.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { BreakGlassUses } from './break-glass-uses.tsx';
import { closedStates, openStates } from './request-queries.ts';
import type { RequestSearch } from './request-search.ts';
import { RequestTable } from './request-table.tsx';

const route = getRouteApi('/change-requests');
const pageSize = 50;

/** The change requests of all projects that concern one. */
export function ChangeRequestsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const { page = 1 } = search;
  const requests = useQuery({
    queryKey: ['GET /api/admin/search/change-requests', search, me?.user.id],
    queryFn: () => api('GET /api/admin/search/change-requests', { query: queryOf(search, me?.user.id ?? 0) }),
    enabled: me !== undefined,
    placeholderData: keepPreviousData,
  });
  const pages = Math.ceil((requests.data?.total ?? 0) / pageSize);
  return (
    <Page
      title={titleOf('/change-requests')}
      description="Changes that somebody asked for, where changes are reviewed before they are made."
    >
      <BreakGlassUses />
      <Group>
        <SegmentedControl
          aria-label="Whose change requests"
          // Or the last would not be in sight on a small screen.
          styles={{ label: { paddingInline: 6 } }}
          value={search.show ?? 'mine'}
          onChange={(show) =>
            void navigate({
              search: ({ state }) => ({
                ...(state === undefined ? {} : { state }),
                ...(show === 'mine' ? {} : { show: show as 'to-approve' | 'all' }),
              }),
            })
          }
          data={[
            { value: 'mine', label: 'Created by me' },
            { value: 'to-approve', label: 'Approval requested' },
            { value: 'all', label: 'All' },
          ]}
        />
        <OpenOrClosed
          closed={search.state === 'closed'}
          onChange={(closed) =>
            void navigate({
              search: ({ show }) => ({
                ...(show === undefined ? {} : { show }),
                ...(closed ? { state: 'closed' } : {}),
              }),
            })
          }
        />
      </Group>
      <Loaded query={requests}>
        {({ changeRequests }) =>
          changeRequests.length === 0 ? (
            <EmptyState title="There is no change request here">
              Where changes are reviewed, what you change on a flag goes into a change request. A project says in its
              settings where they are.
            </EmptyState>
          ) : (
            <RequestTable requests={changeRequests} withProject />
          )
        }
      </Loaded>
      {pages > 1 && (
        <Pagination
          value={page}
          total={pages}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Page>
  );
}

function queryOf({ show, state, page = 1 }: RequestSearch, userId: number) {
  const states = state === 'closed' ? closedStates : openStates;
  return {
    limit: String(pageSize),
    offset: String((page - 1) * pageSize),
    state: `IS_ANY_OF:${states.join(',')}`,
    ...(show === undefined ? { createdBy: `IS:${userId}` } : {}),
    ...(show === 'to-approve' ? { requestedApproverId: `IS:${userId}` } : {}),
  };
}

/** Chooses between those that wait for something and those that are done with. */
export function OpenOrClosed({
  closed,
  onChange,
}: {
  readonly closed: boolean;
  readonly onChange: (closed: boolean) => void;
}) {
  return (
    <SegmentedControl
      aria-label="State"
      value={closed ? 'closed' : 'open'}
      onChange={(chosen) => onChange(chosen === 'closed')}
      data={[
        { value: 'open', label: 'Open' },
        { value: 'closed', label: 'Closed' },
      ]}
    />
  );
}
