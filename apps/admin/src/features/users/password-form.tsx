import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameOf, type Person } from '../../entities/users/user-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { RevokeTokens } from './revoke-tokens.tsx';

/** Sets the password of another user. */
export function PasswordForm({ user, onClose }: { readonly user: Person; readonly onClose: () => void }) {
  const form = useForm({ initialValues: { password: '', revokeTokens: true } });
  const saving = useSaving(form, {
    save: (body) => api('POST /api/admin/user-admin/:id/change-password', { params: { id: user.id }, body }),
    changes: ['GET /api/admin/user-admin'],
    notice: 'Password set',
    onSaved: onClose,
  });
  return (
    <FormDrawer title={`Password of ${nameOf(user)}`} save="Set password" saving={saving} onClose={onClose}>
      <Text size="sm">The user's sessions end. The user logs in with the new password.</Text>
      <NewPassword {...form.getInputProps('password')} />
      <RevokeTokens {...form.getInputProps('revokeTokens', { type: 'checkbox' })} />
    </FormDrawer>
  );
}
