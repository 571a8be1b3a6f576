import { Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { readableAuthor } from '@yardarm/contract/author-names';
import { type Flag, useFlagAction } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SideCard } from '../../ui/side-card.tsx';
import { Muted } from '../../ui/text.tsx';

const stages: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  initial: ['Initial', 'Not evaluated by any SDK yet.'],
  'pre-live': ['Pre-live', 'Evaluated outside production.'],
  live: ['Live', 'Evaluated in production.'],
  completed: ['Completed', 'The decision is made. Remove the flag from the code and archive it.'],
  archived: ['Archived', 'No longer sent to SDKs.'],
};

/** The lifecycle of a flag, its author, and its last use. */
export function FlagFacts({ flag }: { readonly flag: Flag }) {
  const { stage, status, enteredStageAt } = flag.lifecycle;
  const [label, meaning] = stages[stage] ?? [stage, ''];
  return (
    <SideCard
      title="Lifecycle"
      action={
        <Badge>
          {label}
          {status === null ? '' : `: ${status}`}
        </Badge>
      }
    >
      <Muted>{meaning}</Muted>
      <Stack gap={2}>
        <Fact label="In this stage since">
          <RelativeTime at={enteredStageAt} />
        </Fact>
        <Fact label="Created">
          <RelativeTime at={flag.createdAt} /> by {readableAuthor(flag.createdBy.name)}
        </Fact>
        <Fact label="Last evaluated">{flag.lastSeenAt === null ? 'Never' : <RelativeTime at={flag.lastSeenAt} />}</Fact>
      </Stack>
      {!flag.archived && <Completion flag={flag} />}
    </SideCard>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" gap="md" wrap="nowrap">
      <Muted style={{ flexShrink: 0 }}>{label}</Muted>
      <Text size="sm" component="div" ta="right" miw={0}>
        {children}
      </Text>
    </Group>
  );
}

function Completion({ flag }: { readonly flag: Flag }) {
  const params = { projectId: flag.project, featureName: flag.name };
  const completed = flag.lifecycle.stage === 'completed';
  const change = useFlagAction((status: 'kept' | 'discarded' | 'no longer') =>
    status === 'no longer'
      ? api('POST /api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete', { params })
      : api('POST /api/admin/projects/:projectId/features/:featureName/lifecycle/complete', {
          params,
          body: { status },
        }),
  );
  const place = { project: flag.project };
  const may = useMay()('UPDATE_FEATURE', place);
  if (completed)
    return (
      <Permitted needs="UPDATE_FEATURE" place={place}>
        <Button size="xs" variant="default" onClick={() => change.mutate('no longer')} loading={change.isPending}>
          Undo completion
        </Button>
      </Permitted>
    );
  const button = (
    <Button size="xs" variant="default" loading={change.isPending} fullWidth>
      Mark completed
    </Button>
  );
  if (!may)
    return (
      <Permitted needs="UPDATE_FEATURE" place={place}>
        {button}
      </Permitted>
    );
  return (
    <Menu>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => change.mutate('kept')}>Keep the feature</Menu.Item>
        <Menu.Item onClick={() => change.mutate('discarded')}>Discard the feature</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
