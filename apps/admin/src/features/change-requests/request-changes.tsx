import { Alert, Anchor, Group, Stack, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useEditing } from '../../entities/change-requests/edited-change.ts';
import {
  type ChangeRequest,
  openStates,
  type RequestedFlagChange,
  requestRoutes,
} from '../../entities/change-requests/request-queries.ts';
import { ReopenNote } from '../../entities/change-requests/save-buttons.tsx';
import { flagQuery } from '../../entities/flags/flag-queries.ts';
import { planQuery } from '../../entities/release-plans/plan-queries.ts';
import type { Segment } from '../../entities/segments/segment-queries.ts';
import { segmentsQuery } from '../../entities/strategies/strategy-queries.ts';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Diff } from '../../ui/diff.tsx';
import { TextLink } from '../../ui/link.tsx';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Strong } from '../../ui/text.tsx';
import { SegmentForm } from '../segments/index.ts';
import { type BeforeAndAfter, changeWords, compareFlagChange, replacedState, withPlanNames } from './compare-change.ts';
import { EditChange, useMayEdit } from './edit-change.tsx';
import { RequestedStart } from './requested-start.tsx';

type SegmentChange = ChangeRequest['segments'][number];

/** The changes of a change request, by flag and segment. */
export function RequestChanges({ request }: { readonly request: ChangeRequest }) {
  return (
    <>
      {request.features.map((feature) => (
        <FlagChanges key={feature.name} request={request} feature={feature} />
      ))}
      {request.segments.map((change) => (
        <SectionCard key={change.id} title={`Segment ${change.name ?? `#${change.segmentId}`}`}>
          <SegmentChanged request={request} change={change} />
        </SectionCard>
      ))}
    </>
  );
}

/** The changes that name a release plan or its milestones by ids. */
const planActions: ReadonlySet<string> = new Set([
  'deleteReleasePlan',
  'startMilestone',
  'approveMilestone',
  'changeMilestoneProgression',
  'deleteMilestoneProgression',
  'changeSafeguard',
  'deleteSafeguard',
]);

interface FlagChangesProps {
  readonly request: ChangeRequest;
  readonly feature: ChangeRequest['features'][number];
}

function FlagChanges({ request, feature: { name, conflict, changes } }: FlagChangesProps) {
  const open = openStates.includes(request.state);
  const params = { projectId: request.project, featureName: name };
  const isReordered = changes.some(({ action }) => action === 'reorderStrategy');
  const flag = useQuery({ ...flagQuery(params), enabled: open || isReordered });
  const isOfPlan = changes.some(({ action }) => planActions.has(action));
  const place = { ...params, environment: request.environment };
  const { data: plan } = useQuery({ ...planQuery(place), enabled: isOfPlan });
  const now = flag.data?.environments.find((environment) => environment.name === request.environment);
  // Changes of open requests are compared with the current flag, those of closed requests with the state that they
  // replaced.
  const stateBefore = (change: RequestedFlagChange) => (open ? now : replacedState(change, now));
  const shown = (change: RequestedFlagChange) => {
    const { before, after } = compareFlagChange(change, stateBefore(change));
    return { before: withPlanNames(before, plan), after: withPlanNames(after, plan) };
  };
  return (
    <SectionCard
      title={name}
      actions={
        <TextLink to="/projects/$projectId/features/$featureName" params={params} size="sm">
          View flag
        </TextLink>
      }
    >
      {conflict !== undefined && <Conflict>{conflict}</Conflict>}
      {changes.map((change) => (
        <Change
          key={change.id}
          request={request}
          change={change}
          compared={shown(change)}
          edit={<EditChange request={request} change={change} flag={flag.data} featureName={name} />}
          effect={open && plan != null && <RequestedStart change={change} plan={plan} place={place} />}
        />
      ))}
    </SectionCard>
  );
}

interface SegmentProps {
  readonly request: ChangeRequest;
  readonly change: SegmentChange;
}

function SegmentChanged({ request, change }: SegmentProps) {
  const { data: segments } = useQuery(segmentsQuery);
  const now = segments?.find(({ id }) => id === change.segmentId);
  const requested = change.action === 'updateSegment' ? (change.payload as Readonly<Record<string, unknown>>) : null;
  const open = openStates.includes(request.state);
  const state = open ? now : (change.before as Segment | undefined);
  const before =
    state === undefined ? null : { name: state.name, description: state.description, constraints: state.constraints };
  const after =
    requested === null
      ? null
      : { name: requested.name, description: requested.description, constraints: requested.constraints };
  const edit =
    requested !== null && now !== undefined ? <EditSegmentChange request={request} change={change} now={now} /> : null;
  return <Change request={request} change={change} compared={{ before, after }} edit={edit} />;
}

interface ChangeProps {
  readonly request: ChangeRequest;
  readonly change: Omit<RequestedFlagChange, 'scheduleConflicts'> & Pick<RequestedFlagChange, 'scheduleConflicts'>;
  readonly compared: BeforeAndAfter;
  /** The button that edits the change. */
  readonly edit: ReactNode;
  readonly effect?: ReactNode;
}

function Change({ request, change, compared, edit, effect }: ChangeProps) {
  const { id, action, conflict, scheduleConflicts } = change;
  const { before, after } = compared;
  return (
    <Stack gap="xs" role="group" aria-label={changeWords[action] ?? action}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Strong>{changeWords[action] ?? action}</Strong>
        <Group gap="xs" wrap="nowrap">
          {edit}
          <RemoveChange request={request} changeId={id} />
        </Group>
      </Group>
      {conflict !== undefined && <Conflict>{conflict}</Conflict>}
      {scheduleConflicts !== undefined && scheduleConflicts.changeRequests.length > 0 && (
        <Alert color="yellow" variant="light" title="Conflicting scheduled change requests">
          {scheduleConflicts.changeRequests.map((other) => (
            <TextLink
              key={other.id}
              to="/projects/$projectId/change-requests/$id"
              params={{ projectId: request.project, id: String(other.id) }}
              size="sm"
              mr="sm"
            >
              #{other.id} {other.title}
            </TextLink>
          ))}
        </Alert>
      )}
      {(before !== null || after !== null) && <Diff before={before} after={after} />}
      {effect}
    </Stack>
  );
}

function Conflict({ children }: { readonly children: string }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title="Conflict">
      {children}
    </Alert>
  );
}

/** Edits a requested segment change in the form of segments. */
function EditSegmentChange({ request, change, now }: SegmentProps & { readonly now: Segment }) {
  const [open, setOpen] = useState(false);
  const editing = useEditing(request.project, { requestId: request.id, id: change.id });
  if (!useMayEdit(request)) return null;
  const requested = change.payload as Partial<Segment>;
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)} aria-label="Edit the change">
        Edit
      </Anchor>
      {open && (
        <SegmentForm
          segment={{ ...now, ...requested }}
          projectId={request.project}
          saveRequested={(payload) => editing.mutateAsync({ action: 'updateSegment', payload })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function RemoveChange({ request, changeId }: { readonly request: ChangeRequest; readonly changeId: number }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const navigate = useNavigate();
  const params = { projectId: request.project, changeRequestId: request.id, changeId };
  const isLast = request.features.flatMap(({ changes }) => changes).length + request.segments.length === 1;
  if (!useMayEdit(request)) return null;
  return (
    <>
      <Tooltip label="Remove this change from the request">
        <RemoveButton onClick={() => setIsConfirming(true)} label="Remove this change from the request" />
      </Tooltip>
      {isConfirming && (
        <Confirm
          title="Remove the change?"
          action={isLast ? 'Remove change and delete request' : 'Remove change'}
          run={() =>
            api('DELETE /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId', { params })
          }
          changes={requestRoutes}
          onClose={() => setIsConfirming(false)}
          onDone={() =>
            isLast && navigate({ to: '/projects/$projectId/change-requests', params: { projectId: request.project } })
          }
        >
          {isLast
            ? 'This is the only change, so the change request and its comments are deleted too.'
            : 'The other changes of the request stay.'}
          <ReopenNote request={request} />
        </Confirm>
      )}
    </>
  );
}
