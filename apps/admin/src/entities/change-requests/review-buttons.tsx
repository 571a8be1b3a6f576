import { Button } from '@mantine/core';
import { type ReviewPlace, useReview } from './use-reviewed-change.ts';

/**
 * The end of the label of buttons that make a change directly where review is required: "Save strategy without review".
 */
export const withoutReview = { skip: 'without review', 'break-glass': 'with break-glass' } as const;

interface Props {
  readonly place: ReviewPlace;
  /** The label of the button where no review is required: "Save strategy". */
  readonly label: string;
  readonly permitted: boolean;
  readonly saving: boolean;
  /** Whether no user can make the change in the current state. */
  readonly impossible?: boolean;
  /** A destructive change, shown in red. */
  readonly danger?: boolean;
  readonly onSave: (directly: boolean) => void;
}

/**
 * Saves a change: directly, or into a draft change request where review is required. The label of the button says
 * which. Shows nothing to a user who may do neither.
 */
export function ReviewButtons({ place, label, permitted, saving, impossible = false, danger = false, onSave }: Props) {
  const { reviewed, direct } = useReview(place);
  if (!reviewed && !permitted) return null;
  if (!reviewed)
    return (
      <Button
        onClick={() => onSave(false)}
        loading={saving}
        disabled={impossible}
        {...(danger ? { color: 'red' } : {})}
      >
        {label}
      </Button>
    );
  return (
    <>
      <Button onClick={() => onSave(false)} loading={saving} disabled={impossible}>
        Add to draft change request
      </Button>
      {direct !== 'refused' && permitted && !impossible && (
        <Button variant="default" onClick={() => onSave(true)} disabled={saving}>
          {label} {withoutReview[direct]}
        </Button>
      )}
    </>
  );
}
