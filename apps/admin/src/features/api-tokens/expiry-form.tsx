import { useForm } from '@mantine/form';
import { type ApiToken, tokenRoutes } from '../../entities/api-tokens/token-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { ExpiryField, expiryProblem } from '../../ui/expiry-field.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';

/** Changes the expiry of an API token. */
export function ExpiryForm({ token, onClose }: { readonly token: ApiToken; readonly onClose: () => void }) {
  const form = useForm<{ expiresAt: string | null }>({
    initialValues: { expiresAt: token.expiresAt },
    validate: { expiresAt: expiryProblem },
  });
  const saving = useSaving(form, {
    save: (body) => api('PUT /api/admin/api-tokens/:token', { params: { token: `${token.id}` }, body }),
    changes: tokenRoutes,
    notice: 'API token saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer title={`Expiry of ${token.tokenName}`} save="Save" saving={saving} onClose={onClose}>
      <ExpiryField optional {...form.getInputProps('expiresAt')} />
    </FormDrawer>
  );
}
