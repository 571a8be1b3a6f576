import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ReasonField } from '../../entities/change-reasons/reason-field.tsx';
import { ReviewButtons } from '../../entities/change-requests/review-buttons.tsx';
import { useReviewedChange } from '../../entities/change-requests/use-reviewed-change.ts';
import { api } from '../../lib/api.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { useMay } from '../../lib/me.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Archives flags after confirmation, or requests it where review is required. Shows what prevents it. */
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
      make: (_, reason) => api('POST /api/admin/projects/:projectId/archive', { params: { projectId }, body, reason }),
      ask: () => names.map((feature) => ({ action: 'archiveFeature', feature })),
      onDone: (made) => {
        onClose();
        if (made) onDone();
      },
    },
  );
  const parents = check.data?.parentsWithChildFeatures ?? [];
  const flags = names.length === 1 ? names[0] : `${names.length} flags`;
  return (
    <Dialog onClose={onClose} title={`Archive ${flags}?`}>
      <Stack>
        <Text size="sm">
          SDKs will no longer receive{' '}
          {names.length === 1 ? 'it, and evaluate it as off.' : 'them, and evaluate them as off.'} You can undo this in
          the archive of the project.
        </Text>
        {parents.length > 0 && (
          <Alert
            color="red"
            title={names.length === 1 ? 'Other flags depend on this flag' : 'Other flags depend on these flags'}
            role="alert"
          >
            Archive those flags too, or change their dependency first.
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
              ? 'Its dependency is removed and does not return when the flag is revived.'
              : 'Their dependencies are removed and do not return when the flags are revived.'}
          </Alert>
        )}
        {archive.reasonField !== undefined && <ReasonField {...archive.reasonField} />}
        <FormError>{archive.error === null ? undefined : errorMessage(archive.error)}</FormError>
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
