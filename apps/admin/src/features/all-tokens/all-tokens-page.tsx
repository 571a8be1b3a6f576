import { Box, Pagination, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { readableAuthor } from '@yardarm/contract/author-names';
import { useState } from 'react';
import { useEachNewer } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { matches } from '../../lib/query-search.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Expiry, Seen } from '../../ui/expiry.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { deleteAction } from '../../ui/row-menu.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { type AnyToken, allTokensQuery, allTokensRoute } from './all-token-queries.ts';
import type { AllTokenSearch } from './all-token-search.ts';
import { holderOf, kindOf } from './token-words.ts';

const route = getRouteApi('/admin/tokens');
const pageSize = 50;

/** The page of all tokens: API tokens, and the personal tokens of all users and service accounts. */
export function AllTokensPage() {
  const { query = '', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const tokens = useQuery(allTokensQuery);
  useEachNewer('events', tokens.refetch);
  const [removing, setRemoving] = useState<AnyToken>();
  const change = (search: AllTokenSearch) => void navigate({ search, replace: true });
  const found = tokens.data?.filter((token) => matches(query, ...textsOf(token)));
  const pages = Math.ceil((found?.length ?? 0) / pageSize);
  const first = (Math.min(page, Math.max(pages, 1)) - 1) * pageSize;
  return (
    <Page
      title={titleOf('/admin/tokens')}
      guide="guides/hardening"
      description="The tokens of SDKs, users and service accounts. Secrets are never shown. Delete unused tokens."
    >
      <Stack>
        <SearchInput
          label="Search tokens"
          placeholder="Search by name, kind, owner or creator"
          value={query}
          onChange={(text) => change(text === undefined ? {} : { query: text })}
        />
        <Listing
          query={tokens}
          rows={found?.slice(first, first + pageSize)}
          rowKey={({ kind, id }) => `${kind} ${id}`}
          highlightOnHover
          empty={
            <EmptyState title="No tokens yet">Tokens of SDKs, users and service accounts are listed here.</EmptyState>
          }
          filtered={(tokens.data?.length ?? 0) > 0 ? 'tokens' : undefined}
          columns={columns}
          menu={(token) => ({ of: token.name, actions: [deleteAction(() => setRemoving(token), { needs: 'ADMIN' })] })}
        />
        {pages > 1 && (
          <Pagination
            value={Math.min(page, pages)}
            total={pages}
            onChange={(next) => change({ query: query === '' ? undefined : query, page: next > 1 ? next : undefined })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        )}
      </Stack>
      {removing !== undefined && <RemoveToken token={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  );
}

const textsOf = (token: AnyToken) => [token.name, kindOf(token), holderOf(token), token.createdBy];

const columns: readonly Column<AnyToken>[] = [
  {
    header: 'Token',
    cell: (token) => (
      <NameCell name={token.name}>
        <div>{kindOf(token)}</div>
        <Box hiddenFrom="sm">
          <div>{holderOf(token)}</div>
          <div>
            created <Created token={token} />
          </div>
          <div>
            {token.seenAt === null ? (
              'never used'
            ) : (
              <>
                last used <RelativeTime at={token.seenAt} />
              </>
            )}
          </div>
        </Box>
      </NameCell>
    ),
  },
  { header: 'Owner or scope', visibleFrom: 'sm', breaks: 'anywhere', cell: holderOf },
  {
    header: 'Created',
    visibleFrom: 'sm',
    breaks: 'anywhere',
    cell: (token) => <Created token={token} />,
  },
  { header: 'Last used', visibleFrom: 'sm', cell: ({ seenAt }) => <Seen at={seenAt} /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
];

function Created({ token: { createdAt, createdBy } }: { readonly token: AnyToken }) {
  return (
    <>
      <RelativeTime at={createdAt} />
      {createdBy === null ? '' : ` by ${readableAuthor(createdBy)}`}
    </>
  );
}

function RemoveToken({ token, onClose }: { readonly token: AnyToken; readonly onClose: () => void }) {
  const { kind, id, name, owner } = token;
  return (
    <Confirm
      title="Delete token?"
      action="Delete token"
      run={() =>
        kind === 'api'
          ? api('DELETE /api/admin/api-tokens/:token', { params: { token: `${id}` } })
          : api('DELETE /api/admin/personal-tokens/:id', { params: { id } })
      }
      changes={[
        allTokensRoute,
        'GET /api/admin/api-tokens',
        'GET /api/admin/user/tokens',
        'GET /api/admin/service-account',
      ]}
      onClose={onClose}
    >
      {kind === 'api' ? 'Applications' : 'Scripts'} that use <b>{name}</b>
      {owner === null ? '' : ` of ${owner.name}`} will lose access at once.
    </Confirm>
  );
}
