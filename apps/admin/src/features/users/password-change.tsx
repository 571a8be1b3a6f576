import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormError } from '../../ui/form-error.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { RevokeTokens } from './revoke-tokens.tsx';

/** Changes the password of the signed-in user. */
export function PasswordChange() {
  const form = useForm({
    initialValues: { oldPassword: '', password: '', confirmPassword: '', revokeTokens: false },
    validate: {
      confirmPassword: (again, { password }) => (again === password ? null : 'The passwords do not match.'),
    },
  });
  const saving = useSaving(form, {
    save: (body) => api('POST /api/admin/user/change-password', { body }),
    changes: ['GET /api/admin/user/sessions', 'GET /api/admin/user/tokens'],
    notice: 'Password changed; your other sessions have ended',
    onSaved: () => form.reset(),
  });
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack maw={420}>
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('oldPassword')}
        />
        <NewPassword {...form.getInputProps('password')} />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          required
          {...form.getInputProps('confirmPassword')}
        />
        <RevokeTokens {...form.getInputProps('revokeTokens', { type: 'checkbox' })} />
        <FormError>{saving.formError}</FormError>
        <Group>
          <Button type="submit" loading={saving.pending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
