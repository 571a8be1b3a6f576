import { Text } from '@mantine/core';
import type { ChangeRequest } from '../../entities/change-requests/request-queries.ts';
import { TextLink } from '../../ui/link.tsx';
import { Listing } from '../../ui/listing.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint } from '../../ui/text.tsx';
import { StateBadge } from './request-state.tsx';

interface Props {
  readonly requests: readonly ChangeRequest[];
  /** Whether the project of each request is shown. */
  readonly withProject?: boolean;
}

/** Lists change requests, newest first. */
export function RequestTable({ requests, withProject = false }: Props) {
  return (
    <Listing
      rows={requests}
      rowKey={({ id }) => id}
      highlightOnHover
      columns={[
        { header: 'Title', cell: (request) => <RequestTitle request={request} withProject={withProject} /> },
        { header: 'Environment', visibleFrom: 'sm', cell: ({ environment }) => environment },
        { header: 'Changes', visibleFrom: 'md', cell: (request) => <ChangedNames request={request} /> },
        { header: 'Created', visibleFrom: 'sm', cell: (request) => <Creation request={request} /> },
        { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
      ]}
    />
  );
}

interface CellProps {
  readonly request: ChangeRequest;
}

function RequestTitle({ request, withProject }: CellProps & Required<Pick<Props, 'withProject'>>) {
  const { id, title, project } = request;
  return (
    <>
      <TextLink
        to="/projects/$projectId/change-requests/$id"
        params={{ projectId: project, id: String(id) }}
        size="sm"
        fw={550}
        style={{ overflowWrap: 'anywhere' }}
      >
        {title === '' ? `Change request #${id}` : title}
      </TextLink>
      <Hint>
        #{id}
        {withProject && ` in ${project}`}
      </Hint>
    </>
  );
}

function ChangedNames({ request: { features, segments } }: CellProps) {
  const names = [
    ...features.map(({ name }) => name),
    ...segments.map(({ name, segmentId }) => name ?? `segment #${segmentId}`),
  ];
  return (
    <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      {names.slice(0, 3).join(', ')}
      {names.length > 3 && ` and ${names.length - 3} more`}
    </Text>
  );
}

function Creation({ request: { createdBy, createdAt } }: CellProps) {
  return (
    <>
      <Text size="sm">{createdBy.username}</Text>
      <Hint component="div" style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={createdAt} />
      </Hint>
    </>
  );
}
