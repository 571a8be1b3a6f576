import { Badge, Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api } from '../../lib/api.ts';
import { meQuery } from '../../lib/me.ts';
import { byField, messageOf } from '../../lib/problems.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { type ChangeRequest, openStates, useRequestChange } from './request-queries.ts';

type Reviewer = Answer<'GET /api/admin/projects/:projectId/change-requests/:id/approvers'>[number];

const nameOf = ({ name, username, email, id }: Omit<Reviewer, 'status' | 'imageUrl'>) =>
  name || username || email || `#${id}`;

/** Who approved a change request, who did not, and who is asked to. */
export function RequestReview({ request }: { readonly request: ChangeRequest }) {
  const { approvals, rejections, minApprovals, project: projectId, id, state } = request;
  const { data: me } = useQuery(meQuery);
  const approvers = useQuery({
    queryKey: ['GET /api/admin/projects/:projectId/change-requests/:id/approvers', projectId, id],
    queryFn: () =>
      api('GET /api/admin/projects/:projectId/change-requests/:id/approvers', { params: { projectId, id } }),
  });
  const pending = approvers.data?.filter(({ status }) => status === 'pending') ?? [];
  const mine = me?.user.id === request.createdBy.id && openStates.includes(state);
  return (
    <SectionCard
      title="Approvals"
      description={
        minApprovals === 0
          ? 'Changes are not reviewed here: it needs no approval.'
          : `${approvals.length} of ${minApprovals} that it needs`
      }
    >
      <Stack gap="xs">
        {approvals.map(({ createdBy }) => (
          <Line key={`approved ${createdBy.id}`} who={createdBy.username} state="Approved" />
        ))}
        {rejections.map(({ createdBy }) => (
          <Line key={`rejected ${createdBy.id}`} who={createdBy.username} state="Rejected" />
        ))}
        {pending.map((reviewer) => (
          <Line key={`pending ${reviewer.id}`} who={nameOf(reviewer)} state="Asked" />
        ))}
        {approvals.length + rejections.length + pending.length === 0 && (
          <Text size="sm" c="dimmed">
            Nobody has looked at it yet.
          </Text>
        )}
        {mine && minApprovals > 0 && approvers.data !== undefined && (
          <AskReviewers key={approvers.data.map((one) => one.id).join()} request={request} asked={approvers.data} />
        )}
      </Stack>
    </SectionCard>
  );
}

function Line({ who, state }: { readonly who: string; readonly state: 'Approved' | 'Rejected' | 'Asked' }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{who}</Text>
      <Badge
        variant={state === 'Approved' ? 'filled' : 'light'}
        color={state === 'Approved' ? 'sea' : 'gray'}
        tt="none"
      >
        {state}
      </Badge>
    </Group>
  );
}

function AskReviewers({ request, asked }: { readonly request: ChangeRequest; readonly asked: readonly Reviewer[] }) {
  const { project: projectId, id, environment } = request;
  const [chosen, setChosen] = useState(asked.map((one) => String(one.id)));
  const { data: available } = useQuery({
    queryKey: [
      'GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment',
      projectId,
      environment,
    ],
    queryFn: () =>
      api('GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment', {
        params: { projectId, environment },
      }),
  });
  const ask = useRequestChange(() =>
    api('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', {
      params: { projectId, id },
      body: { reviewers: chosen.map(Number) },
    }),
  );
  const people = new Map([...asked, ...(available ?? [])].map((one) => [one.id, nameOf(one)]));
  return (
    <>
      <MultiSelect
        label="Ask for approval"
        data={[...people].map(([value, label]) => ({ value: String(value), label }))}
        value={chosen}
        onChange={setChosen}
        searchable
        nothingFoundMessage="Nobody else may approve it."
        error={
          ask.error === null ? undefined : (byField(ask.error, ['reviewers']).fields.reviewers ?? messageOf(ask.error))
        }
      />
      <Button
        variant="default"
        onClick={() => ask.mutate(undefined)}
        loading={ask.isPending}
        style={{ alignSelf: 'flex-start' }}
      >
        Save reviewers
      </Button>
    </>
  );
}
