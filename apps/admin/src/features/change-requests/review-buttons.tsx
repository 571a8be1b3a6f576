import { Button } from '@mantine/core';
import { type ReviewPlace, useReview } from './use-change.ts';

/** The suffix of buttons that make a change directly where changes are reviewed. */
export const withoutReview = { skip: 'without review', 'break-glass': 'with break-glass' } as const;

interface Props {
  readonly place: ReviewPlace;
  /** What happens where nobody reviews: "Save strategy". */
  readonly label: string;
  readonly permitted: boolean;
  readonly saving: boolean;
  /** Something stands in the way, whoever asks. */
  readonly impossible?: boolean;
  /** It takes away. */
  readonly danger?: boolean;
  readonly onSave: (directly: boolean) => void;
}

/** Saves a change: at once, or into the draft of a change request where changes are reviewed; the button says which. */
export function ReviewButtons({ place, label, permitted, saving, impossible = false, danger = false, onSave }: Props) {
  const { reviewed, direct } = useReview(place);
  if (!reviewed)
    return (
      <Button
        onClick={() => onSave(false)}
        loading={saving}
        disabled={!permitted || impossible}
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
