import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allActionsQuery, maxListedActions } from '../../entities/actions/action-queries.ts';
import { RunLink } from '../../entities/runs/run-link.tsx';
import { RunState } from '../../entities/runs/run-state.tsx';
import { useEachNewer } from '../../lib/activity.ts';
import type { Answer } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Muted, SmallBadge } from '../../ui/text.tsx';
import { BlockedBadge, BlockedReason } from './blocked.tsx';
import { ChooseProject } from './choose-project.tsx';
import { FreezeButton } from './freeze-automation.tsx';

type ListedSet = Answer<'GET /api/admin/actions'>['actions'][number];

/** Lists the actions of all projects, with their last runs. */
export function ActionsPage() {
  const actions = useQuery(allActionsQuery);
  useEachNewer(['runs', 'events'], actions.refetch);
  const columns = useColumns();
  const [making, setMaking] = useState(false);
  const total = actions.data?.total ?? 0;
  return (
    <Page
      title={titleOf('/actions')}
      guide="guides/actions"
      description="What signals change, in all projects."
      actions={
        <>
          <FreezeButton />
          <NewButton needs="ADMIN" onClick={() => setMaking(true)}>
            New action
          </NewButton>
        </>
      }
    >
      <Listing
        query={actions}
        rows={actions.data?.actions}
        rowKey={({ id }) => id}
        minWidth={300}
        columns={columns}
        empty={
          <EmptyState title="No actions">
            No project that you can read has actions. You need the permission READ_ACTIONS in a project to see them.
          </EmptyState>
        }
      />
      {total > maxListedActions && (
        <Muted>
          These are the first {maxListedActions} of {total} actions.
        </Muted>
      )}
      {making && (
        <ChooseProject title="New action" opens="Its settings list the actions." onClose={() => setMaking(false)} />
      )}
    </Page>
  );
}

function useColumns(): readonly Column<ListedSet>[] {
  const isAdmin = useMay()('ADMIN');
  return [
    {
      header: 'Name',
      cell: ({ id, name, description, project, enabled, shadow, blocked }) => (
        <>
          <Group gap="xs">
            <TextLink
              to="/projects/$projectId/settings/actions"
              params={{ projectId: project }}
              search={isAdmin ? { edit: id } : { runsOf: id }}
              size="sm"
              fw={550}
            >
              {name}
            </TextLink>
            {!enabled && <Mark word="Disabled" />}
            {shadow && <Mark word="Shadow mode" />}
            {blocked !== null && <BlockedBadge />}
          </Group>
          <Hint lineClamp={2} maw={480}>
            {description}
          </Hint>
          <BlockedReason blocked={blocked} />
          <Hint hiddenFrom="sm">{project}</Hint>
        </>
      ),
    },
    {
      header: 'Project',
      visibleFrom: 'sm',
      breaks: 'anywhere',
      cell: ({ project }) => (
        <TextLink to="/projects/$projectId" params={{ projectId: project }} size="sm">
          {project}
        </TextLink>
      ),
    },
    {
      header: 'Source',
      visibleFrom: 'md',
      breaks: 'anywhere',
      cell: ({ sourceName }) => sourceName ?? 'Deleted endpoint',
    },
    { header: 'Last run', cell: ({ lastRun }) => <LastRun run={lastRun} /> },
  ];
}

function Mark({ word }: { readonly word: string }) {
  return (
    <SmallBadge color="gray" miw="max-content">
      {word}
    </SmallBadge>
  );
}

function LastRun({ run }: { readonly run: ListedSet['lastRun'] }) {
  if (run === null) return <Muted>None yet</Muted>;
  return (
    <>
      <RunState run={run} />
      <Text size="xs" component="div" mt={4}>
        <RunLink id={run.id} />, <RelativeTime at={run.createdAt} />
      </Text>
    </>
  );
}
