import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { NewPassword } from '../login/new-password.tsx';
import { nameOf, type Person } from './user-queries.ts';

/** Sets the password of somebody else. */
export function PasswordForm({ user, onClose }: { readonly user: Person; readonly onClose: () => void }) {
  const form = useForm({ initialValues: { password: '' } });
  const saving = useSaving(form, {
    save: ({ password }) =>
      api('POST /api/admin/user-admin/:id/change-password', { params: { id: user.id }, body: { password } }),
    changes: ['GET /api/admin/user-admin'],
    said: 'Password set',
    onSaved: onClose,
  });
  return (
    <FormDrawer title={`Password of ${nameOf(user)}`} save="Set password" saving={saving} onClose={onClose}>
      <Text size="sm">Their sessions end; they log in with the new password.</Text>
      <NewPassword {...form.getInputProps('password')} />
    </FormDrawer>
  );
}
