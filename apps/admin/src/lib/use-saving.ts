import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RouteKey } from './api.ts';
import { ChangedMeanwhile } from './edited-fields.ts';
import { errorMessage, errorsByField, errorsByPath, withRenamedPaths } from './error-messages.ts';
import { useIsShown } from './is-shown.ts';
import { useInvalidate } from './use-invalidate.ts';

interface Saving<Values, Saved> {
  readonly save: (values: Values) => Promise<Saved>;
  /** The routes whose cached answers are invalidated afterwards. */
  readonly changes: readonly RouteKey[];
  /** The notification after saving. */
  readonly notice?: string;
  readonly onSaved?: (saved: Saved) => void;
  /** Returns the field of the form for an error path of the server; needed where they differ. */
  readonly nameOf?: (path: string) => string;
}

/**
 * Saves the values of a form. Errors of the server are set on the fields; `formError` is the error that belongs to no
 * field.
 */
export function useSaving<Values extends Record<string, unknown>, Saved>(
  form: UseFormReturnType<Values>,
  { save, changes, notice, onSaved, nameOf }: Saving<Values, Saved>,
) {
  const invalidateRoutes = useInvalidate();
  const fields = Object.keys(form.values);
  const focusFirstInvalid = useFocusFirstInvalid();
  const isShown = useIsShown();
  const asForm = (error: unknown) => (nameOf === undefined ? error : withRenamedPaths(error, nameOf));
  const invalidate = () => invalidateRoutes(changes);
  const saving = useMutation({
    mutationFn: save,
    onSuccess: async (saved) => {
      await invalidate();
      if (notice !== undefined) notifications.show({ message: notice });
      onSaved?.(saved);
    },
    onError: (error) => {
      // So that the form has the change when it is opened again.
      if (error instanceof ChangedMeanwhile) void invalidate();
      // The user has closed the form before the answer, so it can show no error.
      if (!isShown())
        notifications.show({ color: 'red', title: 'Saving failed', message: errorMessage(error), autoClose: 10_000 });
      const formError = asForm(error);
      form.setErrors({ ...errorsByPath(formError).paths, ...errorsByField(formError, fields).fields });
      focusFirstInvalid();
    },
  });
  const formError = saving.error === null ? undefined : errorsByField(asForm(saving.error), fields).rest;
  const submit = form.onSubmit((values) => saving.mutate(values), focusFirstInvalid);
  return { submit, pending: saving.isPending, done: saving.isSuccess, formError };
}

/** Returns a function that moves the focus to the first invalid field, which may be out of view in a long form. */
function useFocusFirstInvalid(): () => void {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  }, [times]);
  return () => setTimes((count) => count + 1);
}
