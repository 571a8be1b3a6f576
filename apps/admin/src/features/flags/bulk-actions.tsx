import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { OptionalReason } from '../../entities/change-reasons/optional-reason.tsx';
import { useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import { useFlagAction } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { ArchiveFlags } from './archive-flags.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { notifyFlagsChanged, SwitchFlags, type Switching, switchFlags } from './switch-flags.tsx';
import { TagFlags } from './tag-flags.tsx';

interface Props {
  readonly projectId: string;
  /** The names of the selected flags. Without selected flags, nothing is rendered. */
  readonly names: readonly string[];
  readonly environments: readonly string[];
  readonly onDone: () => void;
}

/** Renders the actions for the selected flags. Each action changes all of them, or none if one cannot be changed. */
export function BulkActions({ projectId, names, environments, onDone }: Props) {
  const [open, setOpen] = useState<'archive' | 'tag'>();
  const [switching, setSwitching] = useState<Switching>();
  const [reason, setReason] = useState<string>();
  // A reason is for one change only, and for one selection.
  const done = () => {
    setReason(undefined);
    onDone();
  };
  const stale = useFlagAction(
    (value: boolean) =>
      api('POST /api/admin/projects/:projectId/stale', {
        params: { projectId },
        body: { features: [...names], stale: value },
        reason,
      }),
    () => {
      notifyFlagsChanged(names.length);
      done();
    },
  );
  const direct = useFlagAction(
    (switching: Switching) => switchFlags(projectId, names, switching, reason),
    () => {
      notifyFlagsChanged(names.length);
      done();
    },
  );
  const choose = (next: Switching, reviewed: boolean) => (reviewed ? setSwitching(next) : direct.mutate(next));
  if (names.length === 0) return null;
  const place = { project: projectId };
  return (
    <>
      <SelectionBar count={names.length} onNone={done}>
        <SwitchMenu
          projectId={projectId}
          environments={environments}
          on
          onChosen={(environment, reviewed) => choose({ environment, on: true }, reviewed)}
        />
        <SwitchMenu
          projectId={projectId}
          environments={environments}
          on={false}
          onChosen={(environment, reviewed) => choose({ environment, on: false }, reviewed)}
        />
        <Permitted needs="UPDATE_FEATURE" place={place}>
          <Button size="xs" variant="default" onClick={() => stale.mutate(true)}>
            Mark stale
          </Button>
        </Permitted>
        <Permitted needs="UPDATE_FEATURE" place={place}>
          <Button size="xs" variant="default" onClick={() => stale.mutate(false)}>
            Mark not stale
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
        <OptionalReason value={reason} onChange={setReason} />
      </SelectionBar>
      {switching !== undefined && (
        <SwitchFlags
          projectId={projectId}
          names={names}
          switching={switching}
          reason={reason}
          onClose={() => setSwitching(undefined)}
          onDone={done}
        />
      )}
      {open === 'archive' && (
        <ArchiveFlags projectId={projectId} names={names} onClose={() => setOpen(undefined)} onDone={done} />
      )}
      {open === 'tag' && (
        <TagFlags projectId={projectId} names={names} onClose={() => setOpen(undefined)} onDone={done} />
      )}
    </>
  );
}

interface SwitchProps {
  readonly projectId: string;
  readonly environments: readonly string[];
  readonly on: boolean;
  readonly onChosen: (environment: string, reviewed: boolean) => void;
}

function SwitchMenu({ projectId, environments, on, onChosen }: SwitchProps) {
  return (
    <Menu position="top">
      <Menu.Target>
        <Button size="xs" variant="default">
          {on ? 'Enable' : 'Disable'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {environments.map((environment) => (
          <SwitchItem key={environment} projectId={projectId} environment={environment} on={on} onChosen={onChosen} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type ItemProps = Omit<SwitchProps, 'environments'> & { readonly environment: string };

function SwitchItem({ projectId, environment, on, onChosen }: ItemProps) {
  const may = useMay();
  // Without the permission, a change can still be requested where review is required.
  const { reviewed, findWhere } = useReview({ projectId, environment });
  const report = useReportError();
  // `reviewed` is false until the settings are loaded: without them, the flags would be switched without review.
  const choose = () => findWhere().then((where) => onChosen(environment, where !== undefined), report);
  if (!reviewed && !may('UPDATE_FEATURE_ENVIRONMENT', { project: projectId, environment })) return null;
  return (
    <Menu.Item onClick={() => void choose()}>
      {on ? 'Enable' : 'Disable'} in {environment}
    </Menu.Item>
  );
}
