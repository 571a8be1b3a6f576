import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RouteKey } from './api.ts';
import { byField, byPath, renamed } from './problems.ts';

interface Saving<Values, Saved> {
  readonly save: (values: Values) => Promise<Saved>;
  /** The routes whose answers are another afterwards. */
  readonly changes: readonly RouteKey[];
  /** Said in a notice when it is saved. */
  readonly said?: string;
  readonly onSaved?: (saved: Saved) => void;
  /** What the form calls what the server names by a path, where that is another name. */
  readonly nameOf?: (path: string) => string;
}

/** What saves the values of a form; what the server refuses is told at the fields of the form, the `refusal` is about none of them. */
export function useSaving<Values extends Record<string, unknown>, Saved>(
  form: UseFormReturnType<Values>,
  { save, changes, said, onSaved, nameOf }: Saving<Values, Saved>,
) {
  const queries = useQueryClient();
  const fields = Object.keys(form.values);
  const lead = useLead();
  const asForm = (error: unknown) => (nameOf === undefined ? error : renamed(error, nameOf));
  const saving = useMutation({
    mutationFn: save,
    onSuccess: async (saved) => {
      await Promise.all(changes.map((route) => queries.invalidateQueries({ queryKey: [route] })));
      if (said !== undefined) notifications.show({ message: said });
      onSaved?.(saved);
    },
    onError: (error) => {
      const told = asForm(error);
      form.setErrors({ ...byPath(told).paths, ...byField(told, fields).fields });
      lead();
    },
  });
  const refusal = saving.error === null ? undefined : byField(asForm(saving.error), fields).rest;
  const submit = form.onSubmit((values) => saving.mutate(values), lead);
  return { submit, pending: saving.isPending, done: saving.isSuccess, refusal };
}

/** Leads to the first field that something is wrong with, each time that it is told so: a form may be longer than the window. */
function useLead(): () => void {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  }, [times]);
  return () => setTimes((before) => before + 1);
}
