import { Table, Text } from '@mantine/core';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { ChangeRequest } from './request-queries.ts';
import { StateBadge } from './request-state.tsx';

interface Props {
  readonly requests: readonly ChangeRequest[];
  /** Whether they are of several projects. */
  readonly withProject?: boolean;
}

/** Change requests, the newest first. */
export function RequestTable({ requests, withProject = false }: Props) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Title</Table.Th>
            <Table.Th visibleFrom="sm">Environment</Table.Th>
            <Table.Th visibleFrom="md">Changes</Table.Th>
            <Table.Th visibleFrom="sm">Created</Table.Th>
            <Table.Th>State</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((request) => (
            <Row key={request.id} request={request} withProject={withProject} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ request, withProject }: { readonly request: ChangeRequest; readonly withProject: boolean }) {
  const { id, title, project, environment, features, segments, createdBy, createdAt, state } = request;
  const changed = [
    ...features.map(({ name }) => name),
    ...segments.map(({ name, segmentId }) => name ?? `segment #${segmentId}`),
  ];
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink
          to="/projects/$projectId/change-requests/$id"
          params={{ projectId: project, id: String(id) }}
          size="sm"
          fw={550}
          style={{ overflowWrap: 'anywhere' }}
        >
          {title === '' ? `Change request #${id}` : title}
        </TextLink>
        <Text size="xs" c="dimmed">
          #{id}
          {withProject && ` in ${project}`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{environment}</Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {changed.slice(0, 3).join(', ')}
          {changed.length > 3 && ` and ${changed.length - 3} more`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{createdBy.username}</Text>
        <Text size="xs" c="dimmed" component="div" style={{ whiteSpace: 'nowrap' }}>
          <RelativeTime at={createdAt} />
        </Text>
      </Table.Td>
      <Table.Td>
        <StateBadge state={state} />
      </Table.Td>
    </Table.Tr>
  );
}
