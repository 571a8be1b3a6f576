import { Button, Group, Text } from '@mantine/core';
import { ButtonLink } from '../../ui/link.tsx';
import type { FlagPlace } from './change.ts';
import type { EditedChange } from './edited-change.ts';
import { ReviewButtons } from './review-buttons.tsx';

interface Props {
  readonly place: FlagPlace;
  readonly featureName: string;
  /** Given when it is what a change request asks for that is edited. */
  readonly edited: EditedChange | undefined;
  /** What happens where nobody reviews: "Save strategy". */
  readonly label: string;
  readonly permitted: boolean;
  readonly saving: boolean;
  readonly onSave: (directly: boolean) => void;
}

/** The buttons of a page on which a flag is changed: those that save, and the one that does not. */
export function SaveButtons({ place, featureName, edited, label, permitted, saving, onSave }: Props) {
  const { projectId } = place;
  if (edited !== undefined)
    return (
      <>
        <ReopenNote request={edited} />
        <Group gap="sm">
          <Button onClick={() => onSave(false)} loading={saving}>
            Save change
          </Button>
          <ButtonLink
            to="/projects/$projectId/change-requests/$id"
            params={{ projectId, id: String(edited.requestId) }}
            variant="default"
          >
            Cancel
          </ButtonLink>
        </Group>
      </>
    );
  return (
    <Group gap="sm">
      <ReviewButtons place={place} label={label} permitted={permitted} saving={saving} onSave={onSave} />
      <ButtonLink to="/projects/$projectId/features/$featureName" params={{ projectId, featureName }} variant="default">
        Cancel
      </ButtonLink>
    </Group>
  );
}

/** Says what follows when a change is edited that others have seen. */
export function ReopenNote({ request }: { readonly request: Pick<EditedChange, 'state'> }) {
  if (request.state === 'Draft') return null;
  return (
    <Text size="sm" c="dimmed">
      Approvals that were given are taken back, and so is a schedule: it is another change then.
    </Text>
  );
}
