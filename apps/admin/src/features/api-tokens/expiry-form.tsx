import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { ExpiryField, expiryProblem } from '../../ui/expiry-field.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { type ApiToken, tokenRoutes } from './token-queries.ts';

/** Sets when a token stops opening anything. */
export function ExpiryForm({ token, onClose }: { readonly token: ApiToken; readonly onClose: () => void }) {
  const form = useForm<{ expiresAt: string | null }>({
    initialValues: { expiresAt: token.expiresAt },
    validate: { expiresAt: expiryProblem },
  });
  const saving = useSaving(form, {
    save: (body) => api('PUT /api/admin/api-tokens/:token', { params: { token: `${token.id}` }, body }),
    changes: tokenRoutes,
    said: 'API token saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer title={`When ${token.tokenName} expires`} save="Save" saving={saving} onClose={onClose}>
      <ExpiryField optional {...form.getInputProps('expiresAt')} />
    </FormDrawer>
  );
}
