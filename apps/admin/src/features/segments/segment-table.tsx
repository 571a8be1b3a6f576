import { Group, Text } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeConstraint } from '../../entities/constraints/describe-constraint.ts';
import { type Segment, segmentUsageQuery } from '../../entities/segments/segment-queries.ts';
import { matches } from '../../lib/query-search.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { deleteAction, editAction, type RowMenuProps } from '../../ui/row-menu.tsx';
import { Hint, RowName, SmallBadge } from '../../ui/text.tsx';
import { Usage, usedIn } from '../../ui/usage.tsx';
import { RemoveSegment } from './remove-segment.tsx';
import { SegmentForm } from './segment-form.tsx';

/** The panel or dialog over the table. */
interface Open {
  readonly kind: 'edit' | 'usage' | 'remove';
  readonly segment: Segment;
}

interface Props {
  readonly segments: readonly Segment[];
  readonly query?: string | undefined;
  /** The project, when the table lists the segments of a project. */
  readonly projectId?: string;
}

/** Lists segments, with a menu for each. */
export function SegmentTable({ segments, query, projectId }: Props) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const shown = segments.filter(({ name, description, project }) => matches(query, name, description, project));
  return (
    <>
      <Listing
        rows={shown}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No segments yet">
            Create one from constraints that several flags need, such as "Beta testers" or "Customers in Europe".
          </EmptyState>
        }
        filtered={query === undefined ? undefined : 'segments'}
        columns={columns}
        menu={(segment) => menuOf(segment, (kind) => setOpen({ kind, segment }))}
      />
      {open?.kind === 'edit' && (
        <SegmentForm segment={open.segment} onClose={close} {...(projectId === undefined ? {} : { projectId })} />
      )}
      {open?.kind === 'usage' && <SegmentUsage segment={open.segment} onClose={close} />}
      {open?.kind === 'remove' && <RemoveSegment segment={open.segment} onClose={close} />}
    </>
  );
}

const columns: readonly Column<Segment>[] = [
  { header: 'Name', cell: (segment) => <SegmentName segment={segment} /> },
  {
    header: 'Members',
    visibleFrom: 'md',
    cell: ({ constraints }) => (
      <Text size="sm" lineClamp={2} maw={420}>
        {constraints.length === 0 ? 'Everyone' : constraints.map(describeConstraint).join(', and ')}
      </Text>
    ),
  },
  { header: 'Used in', cell: ({ usedInFeatures, usedInProjects }) => usedIn(usedInFeatures, usedInProjects) },
  { header: 'Created', visibleFrom: 'lg', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

function SegmentName({ segment: { name, description, project } }: { readonly segment: Segment }) {
  return (
    <>
      <Group gap="xs">
        <RowName>{name}</RowName>
        {project !== null && <SmallBadge color="gray">{project}</SmallBadge>}
      </Group>
      <Hint lineClamp={2} maw={420}>
        {description}
      </Hint>
    </>
  );
}

function menuOf(segment: Segment, onOpen: (kind: Open['kind']) => void): RowMenuProps {
  const { name, project, usedInFeatures, usedInProjects } = segment;
  const place = project === null ? {} : { project };
  const needs = (permission: string) => (project === null ? permission : [permission, 'UPDATE_PROJECT_SEGMENT']);
  const impossible =
    usedInFeatures > 0
      ? `Used in ${usedIn(usedInFeatures, usedInProjects)}. Open "Where it is used" and remove it from those strategies first.`
      : undefined;
  return {
    of: name,
    actions: [
      editAction(() => onOpen('edit'), { needs: needs('UPDATE_SEGMENT'), place }),
      { label: 'Where it is used', icon: <IconListSearch size={16} />, run: () => onOpen('usage') },
      deleteAction(() => onOpen('remove'), { needs: needs('DELETE_SEGMENT'), place, impossible }),
    ],
  };
}

function SegmentUsage({ segment: { id, name }, onClose }: { readonly segment: Segment; readonly onClose: () => void }) {
  const strategies = useQuery(segmentUsageQuery(id));
  return <Usage title={`Where ${name} is used`} query={strategies} onClose={onClose} />;
}
