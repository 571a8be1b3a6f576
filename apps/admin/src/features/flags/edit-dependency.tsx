import { Button, Group, MultiSelect, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { messageOf } from '../../lib/problems.ts';
import { Dialog } from '../../ui/over-page.tsx';
import { ReviewButtons } from '../change-requests/review-buttons.tsx';
import { useReviewedChange } from '../change-requests/use-change.ts';
import type { Flag } from './flag-queries.ts';

interface Props {
  readonly flag: Flag;
  readonly onClose: () => void;
}

/** Chooses the flag that this one depends on, and how that has to stand. */
export function EditDependency({ flag, onClose }: Props) {
  const before = flag.dependencies?.[0];
  const may = useMay();
  const [parent, setParent] = useState<string | null>(before?.feature ?? null);
  const [must, setMust] = useState(before?.enabled === false ? 'off' : 'on');
  const [variants, setVariants] = useState<string[]>(before?.variants ?? []);
  const place = { projectId: flag.project };
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
  const wanted = {
    feature: parent ?? '',
    enabled: must === 'on',
    ...(must === 'on' && variants.length > 0 ? { variants } : {}),
  };
  const save = useReviewedChange<typeof wanted>(place, {
    make: (body) => api('POST /api/admin/projects/:projectId/features/:featureName/dependencies', { params, body }),
    ask: (payload) => [{ action: 'addDependency', feature: flag.name, payload }],
    onDone: onClose,
  });
  return (
    <Dialog onClose={onClose} title={`What ${flag.name} depends on`}>
      <Stack>
        <Select
          label="Parent flag"
          description="A flag of this project that depends on none itself."
          data={parents.data ?? []}
          value={parent}
          onChange={(name) => {
            setParent(name);
            setVariants([]);
          }}
          error={save.error === null ? undefined : messageOf(save.error)}
          searchable
          limit={100}
          required
          nothingFoundMessage="No flag could be one"
        />
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            It must be
          </Text>
          <SegmentedControl data={['on', 'off']} value={must} onChange={setMust} aria-label="It must be" />
        </Stack>
        {must === 'on' && (known.data ?? []).length > 0 && (
          <MultiSelect
            label="With one of these variants"
            description="Any variant when none is chosen."
            data={known.data ?? []}
            value={variants}
            onChange={setVariants}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReviewButtons
            place={place}
            label="Save dependency"
            permitted={may('UPDATE_FEATURE_DEPENDENCY', { project: flag.project })}
            impossible={parent === null}
            saving={save.isPending}
            onSave={(directly) => save.mutate({ change: wanted, directly })}
          />
        </Group>
      </Stack>
    </Dialog>
  );
}
