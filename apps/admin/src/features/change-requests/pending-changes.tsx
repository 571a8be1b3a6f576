import { Alert, Badge, Button, Group, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconGitPullRequest } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pendingOfFlag } from '../../entities/change-requests/request-queries.ts';
import { useFlagsChanged } from '../../entities/flags/flag-queries.ts';
import { type Answer, api } from '../../lib/api.ts';
import { TextLink } from '../../ui/link.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { changeWords } from './compare-change.ts';
import { DiscardDraft } from './discard-draft.tsx';

type ChangeRequest = Answer<'GET /api/admin/projects/:projectId/change-requests/pending/:featureName'>[number];

interface Props {
  readonly projectId: string;
  readonly featureName: string;
}

/** Lists the open change requests of a flag. The author can submit or discard a draft. */
export function PendingChanges({ projectId, featureName }: Props) {
  const pending = useQuery({
    queryKey: pendingOfFlag({ projectId, featureName }),
    queryFn: () =>
      api('GET /api/admin/projects/:projectId/change-requests/pending/:featureName', {
        params: { projectId, featureName },
      }),
  });
  return pending.data?.map((request) => (
    <PendingRequest key={request.id} request={request} featureName={featureName} />
  ));
}

function PendingRequest({ request, featureName }: { readonly request: ChangeRequest; readonly featureName: string }) {
  const report = useReportError();
  const { id, title, state, environment, project: projectId } = request;
  const isNamed = title !== '' && title !== `Change request #${id}`;
  const changed = useFlagsChanged();
  const send = useMutation({
    mutationFn: () =>
      api('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
        params: { projectId, id },
        body: { state: 'In review' },
      }),
    onSuccess: async () => {
      notifications.show({ title: 'Submitted for review', message: `Change request #${id} is waiting for approval.` });
      await changed();
    },
    onError: report,
  });
  const [discarding, setDiscarding] = useState(false);
  const changes = request.features.find(({ name }) => name === featureName)?.changes ?? [];
  return (
    <Alert
      icon={<IconGitPullRequest size={18} aria-hidden />}
      title={`Change request #${id} for ${environment}${isNamed ? `: ${title}` : ''}`}
      variant="light"
    >
      <Stack gap="xs">
        <Group gap="xs">
          <Badge variant="outline">{state}</Badge>
          <Text size="sm">by {request.createdBy.username}</Text>
          <TextLink
            to="/projects/$projectId/change-requests/$id"
            params={{ projectId, id: String(id) }}
            size="sm"
            underline="always"
          >
            View change request #{id}
          </TextLink>
        </Group>
        <List size="sm">
          {changes.map((change) => (
            <List.Item key={change.id}>
              {changeWords[change.action] ?? change.action}
              {change.conflict !== undefined && ` (conflict: ${change.conflict})`}
            </List.Item>
          ))}
        </List>
        {state === 'Draft' && (
          <Group gap="xs">
            <Button size="xs" onClick={() => send.mutate()} loading={send.isPending}>
              Submit for review
            </Button>
            <Button size="xs" variant="default" onClick={() => setDiscarding(true)}>
              Discard draft
            </Button>
          </Group>
        )}
        {discarding && <DiscardDraft request={request} onClose={() => setDiscarding(false)} />}
      </Stack>
    </Alert>
  );
}
