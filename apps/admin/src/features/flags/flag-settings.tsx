import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { changedByFlags, type Flag } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormError } from '../../ui/form-error.tsx';
import { Permitted, PermittedFields } from '../../ui/permitted.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { FlagFields } from './flag-fields.tsx';
import { useFlag } from './flag-layout.tsx';
import { MoveFlag } from './move-flag.tsx';

/** The settings of a flag. */
export function FlagSettings() {
  const flag = useFlag();
  if (flag === undefined) return null;
  return (
    <Stack maw={720}>
      <GeneralSettings key={flag.name} flag={flag} />
      <MoveFlag flag={flag} />
    </Stack>
  );
}

function valuesOf({ description, type, impressionData }: Pick<Flag, 'description' | 'type' | 'impressionData'>) {
  return { type, description: description ?? '', impressionData };
}

const fields = ['description', 'type', 'impressionData'] as const;

function GeneralSettings({ flag }: { readonly flag: Flag }) {
  const form = useForm({ initialValues: valuesOf(flag) });
  const saving = useSaving(form, {
    // Sends only the changed fields, so that changes which another user makes meanwhile are kept.
    save: (values) =>
      api('PATCH /api/admin/projects/:projectId/features/:featureName', {
        params: { projectId: flag.project, featureName: flag.name },
        body: fields
          .filter((name) => form.isDirty(name))
          .map((name) => ({ op: 'add', path: `/${name}`, value: values[name] })),
      }),
    changes: changedByFlags,
    notice: 'Settings saved',
    onSaved: (saved) => {
      form.setInitialValues(valuesOf(saved));
      form.setValues(valuesOf(saved));
    },
  });
  return (
    <SectionCard title="General">
      <form onSubmit={saving.submit} noValidate>
        <Stack>
          <PermittedFields needs="UPDATE_FEATURE" place={{ project: flag.project }}>
            <FlagFields form={form} />
          </PermittedFields>
          <FormError>{saving.formError}</FormError>
          <Group>
            <Permitted needs="UPDATE_FEATURE" place={{ project: flag.project }}>
              <Button type="submit" loading={saving.pending}>
                Save settings
              </Button>
            </Permitted>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}
