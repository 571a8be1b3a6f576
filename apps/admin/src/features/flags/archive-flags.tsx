import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/problems.ts';
import { useFlagsChanged } from './flag-queries.ts';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Archives flags once that is confirmed; says before what stands in the way. */
export function ArchiveFlags({ projectId, names, onClose, onDone }: Props) {
  const changed = useFlagsChanged();
  const body = { features: [...names] };
  const check = useQuery({
    queryKey: ['POST /api/admin/projects/:projectId/archive/validate', projectId, names],
    queryFn: () => api('POST /api/admin/projects/:projectId/archive/validate', { params: { projectId }, body }),
    staleTime: 0,
    retry: false,
  });
  const archive = useMutation({
    mutationFn: () => api('POST /api/admin/projects/:projectId/archive', { params: { projectId }, body }),
    onSuccess: async () => {
      onClose();
      onDone();
      await changed();
    },
  });
  const parents = check.data?.parentsWithChildFeatures ?? [];
  const what = names.length === 1 ? names[0] : `${names.length} flags`;
  return (
    <Modal opened onClose={onClose} title={`Archive ${what}?`} centered>
      <Stack>
        <Text size="sm">
          SDKs no longer get{' '}
          {names.length === 1 ? 'it, and code that asks for it is told' : 'them, and code that asks for them is told'}{' '}
          “off”. It can be undone from the project's archive.
        </Text>
        {parents.length > 0 && (
          <Alert color="red" title="Other flags depend on these" role="alert">
            <List size="sm">
              {parents.map((name) => (
                <List.Item key={name}>{name}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {check.data?.hasDeletedDependencies === true && (
          <Alert color="orange">What they depend on is forgotten, also when they are revived.</Alert>
        )}
        {archive.error !== null && (
          <Alert color="red" role="alert">
            {messageOf(archive.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            color="red"
            onClick={() => archive.mutate()}
            loading={archive.isPending}
            disabled={parents.length > 0}
          >
            Archive {what}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
