import { Badge, Group, Table, Text } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { matches } from '../../lib/query-search.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { Usage, usedIn } from '../../ui/usage.tsx';
import { constraintInWords } from '../constraints/in-words.ts';
import { RemoveSegment } from './remove-segment.tsx';
import { SegmentForm } from './segment-form.tsx';
import { type Segment, segmentUsageQuery } from './segment-queries.ts';

/** What lies over the table. */
interface Open {
  readonly kind: 'edit' | 'usage' | 'remove';
  readonly segment: Segment;
}

interface Props {
  readonly segments: readonly Segment[];
  readonly query?: string | undefined;
  /** Where the table stands, when not among those of all projects. */
  readonly projectId?: string;
}

/** Segments, with what can be done to each. */
export function SegmentTable({ segments, query, projectId }: Props) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const shown = segments.filter(({ name, description, project }) => matches(query, name, description, project));
  if (shown.length === 0)
    return query === undefined ? (
      <EmptyState title="No segments yet">
        Make one of constraints that more than one flag needs, such as "Beta testers" or "Customers in Europe".
      </EmptyState>
    ) : (
      <EmptyState title="No segment is like that">Look for fewer words.</EmptyState>
    );
  return (
    <>
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th visibleFrom="md">Who is in it</Table.Th>
              <Table.Th>Used in</Table.Th>
              <Table.Th visibleFrom="lg">Created</Table.Th>
              <Table.Th w={56} aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((segment) => (
              <Row key={segment.id} segment={segment} onOpen={(kind) => setOpen({ kind, segment })} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {open?.kind === 'edit' && (
        <SegmentForm segment={open.segment} onClose={close} {...(projectId === undefined ? {} : { projectId })} />
      )}
      {open?.kind === 'usage' && <SegmentUsage segment={open.segment} onClose={close} />}
      {open?.kind === 'remove' && <RemoveSegment segment={open.segment} onClose={close} />}
    </>
  );
}

function Row({ segment, onOpen }: { readonly segment: Segment; readonly onOpen: (kind: Open['kind']) => void }) {
  const { name, description, project, constraints, usedInFeatures, usedInProjects, createdAt } = segment;
  const place = project === null ? {} : { project };
  const needs = (permission: string) => (project === null ? permission : [permission, 'UPDATE_PROJECT_SEGMENT']);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text fw={550} size="sm">
            {name}
          </Text>
          {project !== null && (
            <Badge size="sm" variant="light" color="gray" tt="none">
              {project}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" lineClamp={2} maw={420}>
          {description}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" lineClamp={2} maw={420}>
          {constraints.length === 0 ? 'Everybody' : constraints.map(constraintInWords).join(', and ')}
        </Text>
      </Table.Td>
      <Table.Td>{usedIn(usedInFeatures, usedInProjects)}</Table.Td>
      <Table.Td visibleFrom="lg">
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={name}
          actions={[
            editAction(() => onOpen('edit'), { needs: needs('UPDATE_SEGMENT'), place }),
            { label: 'Where it is used', icon: <IconListSearch size={16} />, run: () => onOpen('usage') },
            deleteAction(() => onOpen('remove'), {
              needs: needs('DELETE_SEGMENT'),
              place,
              impossible:
                usedInFeatures > 0
                  ? `It is used in ${usedIn(usedInFeatures, usedInProjects)}, as listed in "Where it is used": take it from them first.`
                  : undefined,
            }),
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}

function SegmentUsage({ segment: { id, name }, onClose }: { readonly segment: Segment; readonly onClose: () => void }) {
  const strategies = useQuery(segmentUsageQuery(id));
  return <Usage title={`Where ${name} is used`} query={strategies} onClose={onClose} />;
}
