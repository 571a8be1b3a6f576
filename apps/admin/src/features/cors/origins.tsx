import { Button, Group, Stack, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Permitted, PermittedFields } from '../../ui/permitted.tsx';

const needs = ['ADMIN', 'UPDATE_CORS'];

/** Edits the origins that may use the frontend API. */
export function Origins() {
  const instance = useQuery(instanceQuery);
  return (
    <Loaded query={instance} rows={2}>
      {({ frontendApiOrigins }) => <OriginForm origins={frontendApiOrigins} />}
    </Loaded>
  );
}

function OriginForm({ origins }: { readonly origins: readonly string[] }) {
  const form = useForm({ initialValues: { frontendApiOrigins: [...origins] } });
  const saving = useSaving(form, {
    save: async (edited) => {
      const { frontendApiOrigins } = await api('GET /api/admin/ui-config');
      const current = { frontendApiOrigins: [...frontendApiOrigins] };
      const edits = editedFields({ loaded: form.getInitialValues(), edited, current });
      return api('POST /api/admin/ui-config/cors', { body: { ...current, ...edits } });
    },
    changes: ['GET /api/admin/ui-config'],
    notice: 'Origins saved',
    onSaved: () => form.resetDirty(),
  });
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack maw={640}>
        <PermittedFields needs={needs}>
          <Stack>
            <TagsInput
              label="Origins of the frontend API"
              description="Origins whose pages may request flags, such as https://app.example.com. Use * or leave empty to allow all."
              placeholder="https://app.example.com"
              clearable
              splitChars={[',', ' ']}
              {...form.getInputProps('frontendApiOrigins')}
            />
          </Stack>
        </PermittedFields>
        <FormError>{saving.formError}</FormError>
        <Group>
          <Permitted needs={needs}>
            <Button type="submit" loading={saving.pending}>
              Save
            </Button>
          </Permitted>
        </Group>
      </Stack>
    </form>
  );
}
