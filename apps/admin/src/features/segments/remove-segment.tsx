import { ReviewModal } from '../../entities/change-requests/review-modal.tsx';
import { useReview, useReviewedChange } from '../../entities/change-requests/use-reviewed-change.ts';
import { changedBySegments, type Segment } from '../../entities/segments/segment-queries.ts';
import { api } from '../../lib/api.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { Confirm } from '../../ui/confirm.tsx';

interface Props {
  readonly segment: Segment;
  readonly onClose: () => void;
}

/** Deletes a segment after confirmation, or requests it where review is required. */
export function RemoveSegment({ segment, onClose }: Props) {
  const { reviewed, loading } = useReview(segment.project === null ? {} : { projectId: segment.project });
  if (segment.project !== null && reviewed)
    return <AskToRemove segment={segment} projectId={segment.project} onClose={onClose} />;
  return (
    <Confirm
      title="Delete segment?"
      action="Delete segment"
      disabled={loading}
      run={() => remove(segment)}
      changes={changedBySegments}
      onClose={onClose}
    >
      <b>{segment.name}</b> will be deleted. No flags are affected.
    </Confirm>
  );
}

function AskToRemove({ segment, projectId, onClose }: Props & { readonly projectId: string }) {
  const place = { projectId };
  const { mutate, isPending, error } = useReviewedChange(place, {
    make: () => remove(segment),
    ask: () => [{ action: 'deleteSegment', payload: { id: segment.id } }],
    onDone: onClose,
  });
  return (
    <ReviewModal
      place={place}
      label="Delete segment"
      saving={isPending}
      formError={error === null ? undefined : errorMessage(error)}
      onClose={onClose}
      onSave={(directly) => mutate({ change: undefined, directly })}
    >
      Deleting the segment {segment.name}
    </ReviewModal>
  );
}

const remove = ({ id }: Segment) => api('DELETE /api/admin/segments/:id', { params: { id } });
