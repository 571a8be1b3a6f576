import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type ChangeRequest,
  openStates,
  requestRoutes,
  useRequestChange,
} from '../../entities/change-requests/request-queries.ts';
import { api, type Input } from '../../lib/api.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { meQuery, useMay } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ownTimeZone } from '../../ui/dates.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { DiscardDraft } from './discard-draft.tsx';

type NextState = Input<'PUT /api/admin/projects/:projectId/change-requests/:id/state'>['body']['state'];

const setState = ({ project: projectId, id }: ChangeRequest, body: { state: NextState; comment?: string }) =>
  api('PUT /api/admin/projects/:projectId/change-requests/:id/state', { params: { projectId, id }, body });

/** Returns whether a change of the request conflicts with the current state. */
const inConflict = ({ features, segments }: ChangeRequest) =>
  features.some(
    (feature) => feature.conflict !== undefined || feature.changes.some(({ conflict }) => conflict !== undefined),
  ) || segments.some(({ conflict }) => conflict !== undefined);

/** The next steps that the user can take with a change request. */
export function RequestActions({ request }: { readonly request: ChangeRequest }) {
  const { data: me } = useQuery(meQuery);
  const may = useMay();
  const [open, setOpen] = useState<'schedule' | 'reject' | 'cancel' | 'discard'>();
  const close = () => setOpen(undefined);
  const change = useRequestChange((state: NextState) => setState(request, { state }));
  const { state, project, environment } = request;
  if (!openStates.includes(state)) return null;
  const place = { project, environment };
  const mine = me?.user.id === request.createdBy.id;
  const mayApprove = may('APPROVE_CHANGE_REQUEST', place) && !mine;
  const mayApply = may('APPLY_CHANGE_REQUEST', place) || request.minApprovals === 0;
  const isApproved = state === 'Approved' || state === 'Scheduled';
  const conflict = inConflict(request);
  const run = (next: NextState, label: string, disabled = false) => (
    <Button
      onClick={() => change.mutate(next)}
      loading={change.isPending && change.variables === next}
      disabled={disabled}
    >
      {label}
    </Button>
  );
  return (
    <SectionCard title="Next steps">
      <Stack gap="sm">
        <Text size="sm">{nextInWords(request, mine, mayApprove, mayApply)}</Text>
        {conflict && (
          <Text size="sm" c="var(--mantine-color-error)">
            It cannot be applied while one of its changes is in conflict.
          </Text>
        )}
        <Group gap="sm">
          {state === 'Draft' && mine && run('In review', 'Submit for review')}
          {state === 'In review' && mayApprove && run('Approved', 'Approve')}
          {isApproved && mayApply && run('Applied', 'Apply changes', conflict)}
          {isApproved && mayApply && (
            <Button variant="default" onClick={() => setOpen('schedule')} disabled={conflict}>
              {state === 'Scheduled' ? 'Reschedule' : 'Schedule'}
            </Button>
          )}
          {state !== 'Draft' && mayApprove && (
            <Button variant="default" onClick={() => setOpen('reject')}>
              Reject
            </Button>
          )}
          {state !== 'Draft' && (mine || may('ADMIN')) && (
            <Button variant="default" onClick={() => setOpen('cancel')}>
              Cancel request
            </Button>
          )}
          {state === 'Draft' && mine && (
            <Button variant="default" onClick={() => setOpen('discard')}>
              Discard draft
            </Button>
          )}
        </Group>
        <FormError>{change.error === null ? undefined : errorMessage(change.error)}</FormError>
      </Stack>
      {open === 'schedule' && <ScheduleForm request={request} onClose={close} />}
      {open === 'reject' && <RejectForm request={request} onClose={close} />}
      {open === 'cancel' && (
        <Confirm
          title="Cancel the change request?"
          action="Cancel request"
          run={() => setState(request, { state: 'Cancelled' })}
          changes={requestRoutes}
          onClose={close}
        >
          Its changes will not be applied. It stays in the list of closed change requests.
        </Confirm>
      )}
      {open === 'discard' && <DiscardRequest request={request} onClose={close} />}
    </SectionCard>
  );
}

function nextInWords(
  { state, minApprovals, approvals }: ChangeRequest,
  mine: boolean,
  mayApprove: boolean,
  mayApply: boolean,
): string {
  if (state === 'Draft') return 'Only you can see this draft. Submit it for review when it is complete.';
  if (state === 'In review') {
    if (mine) return 'Waiting for approval by another person. You cannot approve your own change request.';
    if (!mayApprove) return 'Waiting for approval. You need the permission APPROVE_CHANGE_REQUEST to approve it.';
    return `It needs ${minApprovals - approvals.length} more ${minApprovals - approvals.length === 1 ? 'approval' : 'approvals'}.`;
  }
  if (!mayApply) return 'Approved. You need the permission APPLY_CHANGE_REQUEST to apply it.';
  return state === 'Scheduled'
    ? 'It will be applied at the scheduled time. You can also apply it now.'
    : 'Approved and ready to apply.';
}

interface FormProps {
  readonly request: ChangeRequest;
  readonly onClose: () => void;
}

function DiscardRequest({ request, onClose }: FormProps) {
  const navigate = useNavigate();
  return (
    <DiscardDraft
      request={request}
      onClose={onClose}
      onDone={() => navigate({ to: '/projects/$projectId/change-requests', params: { projectId: request.project } })}
    />
  );
}

function RejectForm({ request, onClose }: FormProps) {
  const form = useForm({ initialValues: { comment: '' } });
  const saving = useSaving(form, {
    save: ({ comment }) => setState(request, { state: 'Rejected', ...(comment.trim() === '' ? {} : { comment }) }),
    changes: requestRoutes,
    notice: 'Change request rejected',
    onSaved: onClose,
  });
  return (
    <FormDrawer title="Reject the change request" save="Reject" saving={saving} onClose={onClose}>
      <Textarea
        label="Reason"
        description="Tell the author what to change."
        autosize
        minRows={3}
        data-autofocus
        {...form.getInputProps('comment')}
      />
    </FormDrawer>
  );
}

function ScheduleForm({ request: { project: projectId, id }, onClose }: FormProps) {
  const form = useForm({
    initialValues: { scheduledAt: '' },
    validate: {
      scheduledAt: (at) => (Number.isNaN(Date.parse(at)) ? 'Enter a date and a time.' : null),
    },
  });
  const saving = useSaving(form, {
    save: ({ scheduledAt }) =>
      api('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
        params: { projectId, id },
        body: { state: 'Scheduled', scheduledAt: new Date(scheduledAt).toISOString() },
      }),
    changes: requestRoutes,
    notice: 'Change request scheduled',
    onSaved: onClose,
  });
  return (
    <FormDrawer title="Schedule the changes" save="Schedule" saving={saving} onClose={onClose}>
      <TextInput
        type="datetime-local"
        label="When"
        description={`In your time zone, ${ownTimeZone()}.`}
        required
        data-autofocus
        {...form.getInputProps('scheduledAt')}
      />
    </FormDrawer>
  );
}
