import { Button } from '@mantine/core';
import type { FlagPlace } from './change.ts';
import { useReview } from './use-change.ts';

interface Props {
  readonly place: FlagPlace;
  /** What happens where nobody reviews: "Save strategy". */
  readonly label: string;
  readonly permitted: boolean;
  readonly saving: boolean;
  readonly onSave: (directly: boolean) => void;
}

/** Saves a change: at once, or into the draft of a change request where changes are reviewed; the button says which. */
export function ReviewButtons({ place, label, permitted, saving, onSave }: Props) {
  const { reviewed, maySkip } = useReview(place);
  if (!reviewed)
    return (
      <Button onClick={() => onSave(false)} loading={saving} disabled={!permitted}>
        {label}
      </Button>
    );
  return (
    <>
      <Button onClick={() => onSave(false)} loading={saving}>
        Add to draft change request
      </Button>
      {maySkip && permitted && (
        <Button variant="default" onClick={() => onSave(true)} disabled={saving}>
          {label} without review
        </Button>
      )}
    </>
  );
}
