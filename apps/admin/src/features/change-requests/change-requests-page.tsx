import { Group, Pagination, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { closedStates, openStates, waitingQuery } from '../../entities/change-requests/request-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useLastPage } from '../../lib/last-page.ts';
import { meQuery } from '../../lib/me.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { BreakGlassUses } from './break-glass-uses.tsx';
import type { RequestSearch, Show } from './request-search.ts';
import { RequestTable } from './request-table.tsx';

const route = getRouteApi('/change-requests');
const pageSize = 50;

/** The change requests of all projects. */
export function ChangeRequestsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const { page = 1 } = search;
  const waiting = useQuery(waitingQuery);
  const show = search.show ?? (waiting.data === 0 || waiting.isError ? 'mine' : 'waiting');
  const shown = { ...search, show };
  const enabled = me !== undefined && (search.show !== undefined || !waiting.isPending);
  const requests = useQuery({
    ...apiQuery('GET /api/admin/search/change-requests', { query: queryOf(shown, me?.user.id ?? 0) }),
    enabled,
    placeholderData: keepPreviousData,
  });
  useEachNewer('changeRequests', requests.refetch, enabled);
  const pages = Math.ceil((requests.data?.total ?? 0) / pageSize);
  const isCounted = requests.data !== undefined && !requests.isPlaceholderData;
  useLastPage(page, isCounted ? pages : undefined, (last) =>
    navigate({ search: (before) => ({ ...before, page: last }), replace: true }),
  );
  return (
    <Page
      title={titleOf('/change-requests')}
      guide="guides/change-requests"
      description="Changes that are reviewed before they are applied."
    >
      <BreakGlassUses />
      <Group>
        <SegmentedControl
          aria-label="Whose change requests"
          // Narrower, so that the last option fits on small screens.
          styles={{ label: { paddingInline: 6 } }}
          value={show}
          onChange={(chosen) =>
            void navigate({
              search: ({ state }) => ({
                show: chosen as Show,
                ...(state === undefined || chosen === 'waiting' ? {} : { state }),
              }),
            })
          }
          data={[
            { value: 'waiting', label: waiting.data ? `Waiting for me (${waiting.data})` : 'Waiting for me' },
            { value: 'mine', label: 'Created by me' },
            { value: 'all', label: 'All' },
          ]}
        />
        {show !== 'waiting' && (
          <OpenOrClosed
            closed={search.state === 'closed'}
            onChange={(closed) => void navigate({ search: { show, ...(closed ? { state: 'closed' } : {}) } })}
          />
        )}
      </Group>
      <Loaded query={requests}>
        {({ changeRequests }) =>
          changeRequests.length === 0 && show === 'waiting' ? (
            <EmptyState title="No change requests are waiting for you">
              Change requests that you may approve or apply are listed here.
            </EmptyState>
          ) : changeRequests.length === 0 ? (
            <EmptyState title="No change requests">
              Where a project requires review, changes to its flags become change requests. See the project settings.
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
  const part = { limit: String(pageSize), offset: String((page - 1) * pageSize) };
  if (show === 'waiting') return { ...part, actionable: 'true' as const };
  return {
    ...part,
    state: `IS_ANY_OF:${states.join(',')}`,
    ...(show === 'mine' ? { createdBy: `IS:${userId}` } : {}),
  };
}

/** Selects open or closed change requests. */
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
