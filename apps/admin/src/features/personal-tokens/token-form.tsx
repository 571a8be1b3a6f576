import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { RouteKey } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { ExpiryField, inDays } from '../../ui/expiry-field.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';

/** The values of a new token. */
export interface TokenValues {
  readonly description: string;
  readonly expiresAt: string;
}

interface Props {
  readonly save: (values: TokenValues) => Promise<{ readonly secret: string }>;
  readonly changes: readonly RouteKey[];
  /** The longest life of a token, in days; absent for no limit. */
  readonly maxDays?: number | undefined;
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

/** Creates a personal token. */
export function TokenForm({ save, changes, maxDays, onMade, onClose }: Props) {
  const form = useForm({ initialValues: { description: '', expiresAt: inDays(Math.min(30, maxDays ?? 30)) } });
  const saving = useSaving(form, {
    save,
    changes,
    onSaved: ({ secret }) => {
      onClose();
      onMade(secret);
    },
  });
  return (
    <FormDrawer title="New token" save="Create token" saving={saving} onClose={onClose}>
      <TextInput
        label="Description"
        description="What the token is used for."
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('description')}
      />
      <ExpiryField maxDays={maxDays} {...form.getInputProps('expiresAt')} />
    </FormDrawer>
  );
}
