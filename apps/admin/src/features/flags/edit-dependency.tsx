import { Button, Group, Input, MultiSelect, SegmentedControl, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { byField } from '../../lib/problems.ts';
import { Refusal } from '../../ui/form-drawer.tsx';
import { Dialog } from '../../ui/over-page.tsx';
import { ReviewButtons } from '../change-requests/review-buttons.tsx';
import { useReviewedChange } from '../change-requests/use-change.ts';
import type { Flag } from './flag-queries.ts';

/** What a flag depends on. */
export interface Dependency {
  readonly feature: string;
  readonly enabled?: boolean | undefined;
  readonly variants?: readonly string[] | undefined;
}

type FlagNamed = Pick<Flag, 'name' | 'project'>;

interface Props {
  readonly flag: FlagNamed;
  /** What it depends on so far. */
  readonly before: Dependency | undefined;
  readonly onClose: () => void;
}

/** Chooses the flag that this one depends on, and how that has to stand. */
export function EditDependency({ flag, before, onClose }: Props) {
  const may = useMay();
  const place = { projectId: flag.project };
  const save = useReviewedChange<DependencyBody>(place, {
    make: (body) =>
      api('POST /api/admin/projects/:projectId/features/:featureName/dependencies', {
        params: { projectId: flag.project, featureName: flag.name },
        body,
      }),
    ask: (payload) => [{ action: 'addDependency', feature: flag.name, payload }],
    onDone: onClose,
  });
  return (
    <DependencyDialog flag={flag} before={before} error={save.error} onClose={onClose}>
      {(wanted) => (
        <ReviewButtons
          place={place}
          label="Save dependency"
          permitted={may('UPDATE_FEATURE_DEPENDENCY', { project: flag.project })}
          impossible={wanted === undefined}
          saving={save.isPending}
          onSave={(directly) => wanted !== undefined && save.mutate({ change: wanted, directly })}
        />
      )}
    </DependencyDialog>
  );
}

type DependencyBody = { feature: string; enabled: boolean; variants?: string[] };

interface DialogProps extends Props {
  readonly error: Error | null;
  /** The buttons that save what is chosen, once something is. */
  readonly children: (wanted: DependencyBody | undefined) => ReactNode;
}

/** The fields of a dependency in a dialog, whoever saves them. */
export function DependencyDialog({ flag, before, error, onClose, children }: DialogProps) {
  const [parent, setParent] = useState<string | null>(before?.feature ?? null);
  const [must, setMust] = useState(before?.enabled === false ? 'off' : 'on');
  const [variants, setVariants] = useState<string[]>([...(before?.variants ?? [])]);
  const params = { projectId: flag.project, featureName: flag.name };
  const parents = useQuery({
    queryKey: ['GET /api/admin/projects/:projectId/features/:featureName/parents', params],
    queryFn: () => api('GET /api/admin/projects/:projectId/features/:featureName/parents', { params }),
  });
  const known = useQuery({
    queryKey: ['GET /api/admin/projects/:projectId/features/:parent/parent-variants', flag.project, parent],
    queryFn: () =>
      api('GET /api/admin/projects/:projectId/features/:parent/parent-variants', {
        params: { projectId: flag.project, parent: parent ?? '' },
      }),
    enabled: parent !== null,
  });
  const wanted =
    parent === null
      ? undefined
      : { feature: parent, enabled: must === 'on', ...(must === 'on' && variants.length > 0 ? { variants } : {}) };
  const problem = error === null ? undefined : byField(error, ['feature', 'variants']);
  const offered = [...new Set([...(known.data ?? []), ...variants])];
  return (
    <Dialog onClose={onClose} title={`What ${flag.name} depends on`}>
      <Stack>
        <Select
          label="Parent flag"
          description="A flag of this project that depends on none itself."
          data={[...new Set([...(parents.data ?? []), ...(parent === null ? [] : [parent])])]}
          value={parent}
          onChange={(name) => {
            setParent(name);
            setVariants([]);
          }}
          error={problem?.fields.feature}
          searchable
          limit={100}
          required
          nothingFoundMessage="No flag could be one"
        />
        <Input.Wrapper label="It must be" labelElement="div">
          <SegmentedControl fullWidth data={['on', 'off']} value={must} onChange={setMust} aria-label="It must be" />
        </Input.Wrapper>
        {must === 'on' && offered.length > 0 && (
          <MultiSelect
            label="With one of these variants"
            description="Any variant when none is chosen."
            data={offered}
            value={variants}
            onChange={setVariants}
            error={problem?.fields.variants}
          />
        )}
        <Refusal>{problem?.rest}</Refusal>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {children(wanted)}
        </Group>
      </Stack>
    </Dialog>
  );
}
