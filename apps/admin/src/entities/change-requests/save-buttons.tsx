import { Button, Group, Stack } from '@mantine/core';
import { ButtonLink } from '../../ui/link.tsx';
import { Muted } from '../../ui/text.tsx';
import { ReasonField, type ReasonFieldProps } from '../change-reasons/reason-field.tsx';
import type { FlagPlace } from './change.ts';
import type { EditedChange } from './edited-change.ts';
import { ReviewButtons } from './review-buttons.tsx';

interface Props {
  readonly place: FlagPlace;
  readonly featureName: string;
  /** The requested change, when a change request is edited. */
  readonly edited: EditedChange | undefined;
  /** The label of the button where no review is required: "Save strategy". */
  readonly label: string;
  readonly permitted: boolean;
  readonly saving: boolean;
  readonly reasonField: ReasonFieldProps | undefined;
  readonly onSave: (directly: boolean) => void;
}

/** The save and cancel buttons of a page that changes a flag. */
export function SaveButtons({ place, featureName, edited, label, permitted, saving, reasonField, onSave }: Props) {
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
    <Stack>
      {reasonField !== undefined && <ReasonField {...reasonField} />}
      <Group gap="sm">
        <ReviewButtons place={place} label={label} permitted={permitted} saving={saving} onSave={onSave} />
        <ButtonLink
          to="/projects/$projectId/features/$featureName"
          params={{ projectId, featureName }}
          variant="default"
        >
          Cancel
        </ButtonLink>
      </Group>
    </Stack>
  );
}

/** Warns that editing a submitted change request resets its approvals and its schedule. */
export function ReopenNote({ request }: { readonly request: Pick<EditedChange, 'state'> }) {
  if (request.state === 'Draft') return null;
  return <Muted>Editing the change request resets its approvals and its schedule.</Muted>;
}
