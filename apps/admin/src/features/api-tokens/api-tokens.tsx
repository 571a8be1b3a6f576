import { Code, Group, Stack } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ApiToken,
  createPermissions,
  permissionsFor,
  tokenRoutes,
  tokensQuery,
} from '../../entities/api-tokens/token-queries.ts';
import { api } from '../../lib/api.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { CountOfLimit } from '../../ui/count-of-limit.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/listing.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { deleteAction, type RowMenuProps } from '../../ui/row-menu.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { SmallBadge } from '../../ui/text.tsx';
import { TokenTable } from '../../ui/token-table.tsx';
import { ApiTokenForm } from './api-token-form.tsx';
import { ExpiryForm } from './expiry-form.tsx';

interface Props {
  /** Shows only the tokens of this project. */
  readonly projectId?: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** Lists API tokens, with search and forms to create, change and delete them. */
export function ApiTokens({ projectId, query, onQuery }: Props) {
  const tokens = useQuery(tokensQuery(projectId));
  const { data: limits } = useQuery(limitsQuery);
  const [making, setMaking] = useState(false);
  const [changing, setChanging] = useState<ApiToken>();
  const [removing, setRemoving] = useState<ApiToken>();
  const [secret, setSecret] = useState<string>();
  const limit = projectId === undefined ? limits?.apiTokens : undefined;
  const count = tokens.data?.length ?? 0;
  return (
    <Stack>
      <Group justify="space-between">
        <SearchInput
          label="Search API tokens"
          placeholder="Search by name, project or environment"
          value={query}
          onChange={(text) => onQuery(text ?? '')}
        />
        <Group gap="sm">
          <CountOfLimit count={tokens.data?.length} limit={limit} noun="token" />
          <NewButton
            {...(projectId === undefined
              ? { needs: createPermissions }
              : { needs: 'CREATE_PROJECT_API_TOKEN', place: { project: projectId } })}
            disabled={limit !== undefined && count >= limit}
            onClick={() => setMaking(true)}
          >
            New API token
          </NewButton>
        </Group>
      </Group>
      <TokenTable
        query={tokens}
        tokens={tokens.data?.filter((token) => matches(token, query))}
        nameHeader="Name"
        nameOf={({ tokenName }) => tokenName}
        detailOf={({ type }) => <SmallBadge color="gray">{type}</SmallBadge>}
        columns={columns}
        empty={
          <EmptyState title="No API tokens yet">
            A backend SDK needs a backend token, a web page or an app a frontend token.
          </EmptyState>
        }
        filtered={count > 0 ? 'API tokens' : undefined}
        menu={(token) => menuOf(token, projectId, setChanging, setRemoving)}
      />
      {making && <ApiTokenForm projectId={projectId} onMade={setSecret} onClose={() => setMaking(false)} />}
      {changing !== undefined && <ExpiryForm token={changing} onClose={() => setChanging(undefined)} />}
      {removing !== undefined && (
        <Confirm
          title="Delete API token?"
          action="Delete API token"
          typed={removing.tokenName}
          run={() => remove(removing, projectId)}
          changes={tokenRoutes}
          onClose={() => setRemoving(undefined)}
        >
          Applications that use <b>{removing.tokenName}</b> will lose access.
        </Confirm>
      )}
      <SecretOnce
        title="API token created"
        secret={secret === undefined ? undefined : { kind: 'token', value: secret }}
        onClose={() => setSecret(undefined)}
      >
        SDKs send it in the header <Code>Authorization</Code>.
      </SecretOnce>
    </Stack>
  );
}

function remove({ id }: ApiToken, projectId: string | undefined): Promise<unknown> {
  const token = `${id}`;
  return projectId === undefined
    ? api('DELETE /api/admin/api-tokens/:token', { params: { token } })
    : api('DELETE /api/admin/projects/:projectId/api-tokens/:token', { params: { projectId, token } });
}

function matches({ tokenName, projects, environment, type }: ApiToken, query: string): boolean {
  const words = query.trim().toLowerCase();
  return [tokenName, environment, type, ...projects].some((text) => text.toLowerCase().includes(words));
}

const columns: readonly Column<ApiToken>[] = [
  {
    header: 'Projects',
    cell: ({ projects }) => (projects.includes('*') ? 'All projects' : projects.join(', ')),
  },
  {
    header: 'Environment',
    visibleFrom: 'sm',
    cell: ({ environment }) => (environment === '*' ? 'All environments' : environment),
  },
];

function menuOf(
  token: ApiToken,
  projectId: string | undefined,
  onChange: (token: ApiToken) => void,
  onRemove: (token: ApiToken) => void,
): RowMenuProps {
  const needsToDelete =
    projectId === undefined
      ? { needs: permissionsFor('DELETE', token) }
      : { needs: 'DELETE_PROJECT_API_TOKEN', place: { project: projectId } };
  return {
    of: token.tokenName,
    actions: [
      {
        label: 'Change expiry',
        icon: <IconCalendar size={16} />,
        needs: permissionsFor('UPDATE', token),
        run: () => onChange(token),
      },
      deleteAction(() => onRemove(token), needsToDelete),
    ],
  };
}
