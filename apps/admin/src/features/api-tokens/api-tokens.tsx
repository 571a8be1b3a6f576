import { Badge, Code, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconCalendar, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Expiry, Seen } from '../../ui/expiry.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { deleteAction, RowMenu } from '../../ui/row-menu.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { ApiTokenForm } from './api-token-form.tsx';
import { ExpiryForm } from './expiry-form.tsx';
import { type ApiToken, permissions, tokenRoutes, tokensQuery } from './token-queries.ts';

interface Props {
  /** Only tokens made for this project. */
  readonly projectId?: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** API tokens: a list to look through, and what makes and deletes them. */
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
        <TextInput
          aria-label="Search API tokens"
          placeholder="Search by name, project or environment"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={({ currentTarget }) => onQuery(currentTarget.value)}
          maw={420}
          miw={200}
          flex={1}
        />
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {tokens.data === undefined ? '' : limit === undefined ? `${count} tokens` : `${count} of ${limit}`}
          </Text>
          <NewButton
            {...(projectId === undefined
              ? { needs: permissions.create }
              : { needs: 'CREATE_PROJECT_API_TOKEN', place: { project: projectId } })}
            disabled={limit !== undefined && count >= limit}
            onClick={() => setMaking(true)}
          >
            New API token
          </NewButton>
        </Group>
      </Group>
      <Loaded query={tokens}>
        {(all) => {
          const found = all.filter((token) => matches(token, query));
          if (all.length === 0)
            return (
              <EmptyState title="No API tokens yet">
                An SDK asks for flags with a backend token, a page or an app with a frontend token.
              </EmptyState>
            );
          if (found.length === 0) return <EmptyState title="No token is like that">Look for fewer letters.</EmptyState>;
          return <TokenTable tokens={found} projectId={projectId} onChange={setChanging} onRemove={setRemoving} />;
        }}
      </Loaded>
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
          What uses <b>{removing.tokenName}</b> is refused from then on.
        </Confirm>
      )}
      <SecretOnce
        title="API token created"
        secret={secret === undefined ? undefined : { what: 'token', value: secret }}
        onClose={() => setSecret(undefined)}
      >
        An SDK sends it in the header <Code>Authorization</Code>.
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

interface TableProps {
  readonly tokens: readonly ApiToken[];
  readonly projectId: string | undefined;
  readonly onChange: (token: ApiToken) => void;
  readonly onRemove: (token: ApiToken) => void;
}

function TokenTable({ tokens, projectId, onChange, onRemove }: TableProps) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Projects</Table.Th>
            <Table.Th visibleFrom="sm">Environment</Table.Th>
            <Table.Th visibleFrom="md">Last seen</Table.Th>
            <Table.Th visibleFrom="sm">Expires</Table.Th>
            <Table.Th w={56} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td>
                <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                  {token.tokenName}
                </Text>
                <Badge size="sm" variant="light" color="gray" tt="none">
                  {token.type}
                </Badge>
              </Table.Td>
              <Table.Td>{token.projects.includes('*') ? 'All projects' : token.projects.join(', ')}</Table.Td>
              <Table.Td visibleFrom="sm">{token.environment === '*' ? 'All environments' : token.environment}</Table.Td>
              <Table.Td visibleFrom="md">
                <Seen at={token.seenAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Expiry at={token.expiresAt} />
              </Table.Td>
              <Table.Td>
                <RowMenu
                  of={token.tokenName}
                  actions={[
                    {
                      label: 'Set when it expires',
                      icon: <IconCalendar size={16} />,
                      needs: permissions.update,
                      run: () => onChange(token),
                    },
                    deleteAction(() => onRemove(token), {
                      ...(projectId === undefined
                        ? { needs: permissions.remove }
                        : { needs: 'DELETE_PROJECT_API_TOKEN', place: { project: projectId } }),
                    }),
                  ]}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
