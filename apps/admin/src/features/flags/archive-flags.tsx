import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { messageOf } from '../../lib/problems.ts';
import { Refusal } from '../../ui/form-drawer.tsx';
import { Dialog } from '../../ui/over-page.tsx';
import { ReviewButtons } from '../change-requests/review-buttons.tsx';
import { useReviewedChange } from '../change-requests/use-change.ts';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Archives flags once that is confirmed, or asks for it where changes are reviewed; says before what stands in the way. */
export function ArchiveFlags({ projectId, names, onClose, onDone }: Props) {
  const may = useMay();
  const body = { features: [...names] };
  const check = useQuery({
    queryKey: ['POST /api/admin/projects/:projectId/archive/validate', projectId, names],
    queryFn: () => api('POST /api/admin/projects/:projectId/archive/validate', { params: { projectId }, body }),
    staleTime: 0,
  });
  const archive = useReviewedChange(
    { projectId },
    {
      make: () => api('POST /api/admin/projects/:projectId/archive', { params: { projectId }, body }),
      ask: () => names.map((feature) => ({ action: 'archiveFeature', feature })),
      onDone: (made) => {
        onClose();
        if (made) onDone();
      },
    },
  );
  const parents = check.data?.parentsWithChildFeatures ?? [];
  const what = names.length === 1 ? names[0] : `${names.length} flags`;
  return (
    <Dialog onClose={onClose} title={`Archive ${what}?`}>
      <Stack>
        <Text size="sm">
          SDKs no longer get{' '}
          {names.length === 1 ? 'it, and code that asks for it is told' : 'them, and code that asks for them is told'}{' '}
          “off”. It can be undone from the project's archive.
        </Text>
        {parents.length > 0 && (
          <Alert
            color="red"
            title={names.length === 1 ? 'Other flags depend on it' : 'Other flags depend on these'}
            role="alert"
          >
            Archive those too, or have them depend on another flag first.
            <List size="sm" mt="xs">
              {parents.map((name) => (
                <List.Item key={name}>{name}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {check.data?.hasDeletedDependencies === true && (
          <Alert color="orange">
            {names.length === 1
              ? 'What it depends on is forgotten, also when it is revived.'
              : 'What they depend on is forgotten, also when they are revived.'}
          </Alert>
        )}
        <Refusal>{archive.error === null ? undefined : messageOf(archive.error)}</Refusal>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReviewButtons
            place={{ projectId }}
            label={names.length === 1 ? 'Archive flag' : `Archive ${names.length} flags`}
            permitted={parents.length === 0 && may('DELETE_FEATURE', { project: projectId })}
            impossible={parents.length > 0}
            danger
            saving={archive.isPending}
            onSave={(directly) => archive.mutate({ change: undefined, directly })}
          />
        </Group>
      </Stack>
    </Dialog>
  );
}
