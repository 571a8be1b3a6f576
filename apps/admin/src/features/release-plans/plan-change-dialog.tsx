import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ReasonField } from '../../entities/change-reasons/reason-field.tsx';
import type { Change } from '../../entities/change-requests/change.ts';
import { ReviewButtons } from '../../entities/change-requests/review-buttons.tsx';
import { useReviewedChange } from '../../entities/change-requests/use-reviewed-change.ts';
import type { Place } from '../../entities/release-plans/plan-queries.ts';
import { errorsByField } from '../../lib/error-messages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';

interface Props {
  readonly place: Place;
  readonly title: string;
  /** The label of the button where no review is required: "Remove plan". */
  readonly label: string;
  readonly permitted: boolean;
  readonly danger?: boolean;
  /**
   * Returns the change in the format that change requests store. Returns undefined while the input is not valid;
   * `children` then show the errors.
   */
  readonly change: () => Change | undefined;
  /** Makes the change without review. */
  readonly make: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
  /** The fields that show their errors themselves, as paths in the request. The dialog shows all other errors. */
  readonly fields?: readonly string[];
  readonly children: ReactNode | ((problems: Readonly<Record<string, string>>) => ReactNode);
}

/** Asks for confirmation of a change of a release plan. Makes the change, or adds it to the draft change request. */
export function PlanChangeDialog({ place, title, label, permitted, danger = false, change, make, ...rest }: Props) {
  const { onClose, fields = [], children } = rest;
  const saving = useReviewedChange<Change>(place, { make: (_, reason) => make(reason), ask: (asked) => [asked] });
  const problems = saving.error === null ? undefined : errorsByField(saving.error, fields);
  const save = (directly: boolean) => {
    const asked = change();
    if (asked !== undefined) saving.mutate({ change: asked, directly }, { onSuccess: onClose });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        {typeof children === 'function' ? children(problems?.fields ?? {}) : children}
        {saving.reasonField !== undefined && <ReasonField {...saving.reasonField} />}
        <FormError>{problems?.rest}</FormError>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReviewButtons
            place={place}
            label={label}
            permitted={permitted}
            saving={saving.isPending}
            danger={danger}
            onSave={save}
          />
        </Group>
      </Stack>
    </Dialog>
  );
}
