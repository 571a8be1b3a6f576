import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { ArchiveFlags } from './archive-flags.tsx';
import { useFlagAction } from './flag-queries.ts';
import { TagFlags } from './tag-flags.tsx';

interface Props {
  readonly projectId: string;
  /** Of the flags that are chosen; nothing is shown without any. */
  readonly names: readonly string[];
  readonly environments: readonly string[];
  readonly onDone: () => void;
}

type Bulk =
  | { readonly kind: 'switch'; readonly environment: string; readonly on: boolean }
  | { readonly kind: 'stale'; readonly stale: boolean };

/** What can be done to many flags at once: all of them, or none when one cannot be changed. */
export function BulkActions({ projectId, names, environments, onDone }: Props) {
  const [open, setOpen] = useState<'archive' | 'tag'>();
  const features = [...names];
  const act = useFlagAction(
    (bulk: Bulk) => run(projectId, features, bulk),
    () => {
      notifications.show({ message: `${names.length === 1 ? '1 flag is' : `${names.length} flags are`} changed.` });
      onDone();
    },
  );
  if (names.length === 0) return null;
  const place = { project: projectId };
  return (
    <>
      {/* Notices come up at the right. */}
      <Paper
        withBorder
        shadow="lg"
        p="sm"
        maw={780}
        role="region"
        aria-label="Chosen flags"
        pos="sticky"
        bottom={16}
        style={{ zIndex: 10 }}
      >
        <Group gap="xs">
          <Text size="sm" fw={600} aria-live="polite">
            {names.length} chosen
          </Text>
          <SwitchMenu
            projectId={projectId}
            environments={environments}
            on
            onChosen={(environment) => act.mutate({ kind: 'switch', environment, on: true })}
          />
          <SwitchMenu
            projectId={projectId}
            environments={environments}
            on={false}
            onChosen={(environment) => act.mutate({ kind: 'switch', environment, on: false })}
          />
          <Permitted needs="UPDATE_FEATURE" place={place}>
            <Button size="xs" variant="default" onClick={() => act.mutate({ kind: 'stale', stale: true })}>
              Mark stale
            </Button>
          </Permitted>
          <Permitted needs="UPDATE_FEATURE" place={place}>
            <Button size="xs" variant="default" onClick={() => act.mutate({ kind: 'stale', stale: false })}>
              Not stale
            </Button>
          </Permitted>
          <Permitted needs="UPDATE_FEATURE" place={place}>
            <Button size="xs" variant="default" onClick={() => setOpen('tag')}>
              Tags
            </Button>
          </Permitted>
          <Permitted needs="DELETE_FEATURE" place={place}>
            <Button size="xs" variant="light" color="red" onClick={() => setOpen('archive')}>
              Archive
            </Button>
          </Permitted>
          <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
            Choose none
          </Button>
        </Group>
      </Paper>
      {open === 'archive' && (
        <ArchiveFlags projectId={projectId} names={names} onClose={() => setOpen(undefined)} onDone={onDone} />
      )}
      {open === 'tag' && (
        <TagFlags projectId={projectId} names={names} onClose={() => setOpen(undefined)} onDone={onDone} />
      )}
    </>
  );
}

function run(projectId: string, features: string[], bulk: Bulk): Promise<unknown> {
  if (bulk.kind === 'stale')
    return api('POST /api/admin/projects/:projectId/stale', {
      params: { projectId },
      body: { features, stale: bulk.stale },
    });
  const input = { params: { projectId, environment: bulk.environment }, body: { features } };
  return bulk.on
    ? api('POST /api/admin/projects/:projectId/bulk_features/environments/:environment/on', input)
    : api('POST /api/admin/projects/:projectId/bulk_features/environments/:environment/off', input);
}

interface SwitchProps {
  readonly projectId: string;
  readonly environments: readonly string[];
  readonly on: boolean;
  readonly onChosen: (environment: string) => void;
}

function SwitchMenu({ projectId, environments, on, onChosen }: SwitchProps) {
  const may = useMay();
  return (
    <Menu position="top">
      <Menu.Target>
        <Button size="xs" variant="default">
          {on ? 'Enable' : 'Disable'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {environments.map((environment) => (
          <Menu.Item
            key={environment}
            onClick={() => onChosen(environment)}
            disabled={!may('UPDATE_FEATURE_ENVIRONMENT', { project: projectId, environment })}
          >
            {on ? 'Enable' : 'Disable'} in {environment}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
