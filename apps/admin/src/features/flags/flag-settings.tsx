import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormError } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { FlagFields } from './flag-fields.tsx';
import { useFlag } from './flag-layout.tsx';
import { changedByFlags, type Flag } from './flag-queries.ts';
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

function GeneralSettings({ flag }: { readonly flag: Flag }) {
  const { description, type, impressionData } = flag;
  const form = useForm({ initialValues: { type, description: description ?? '', impressionData } });
  const saving = useSaving(form, {
    save: (values) =>
      api('PATCH /api/admin/projects/:projectId/features/:featureName', {
        params: { projectId: flag.project, featureName: flag.name },
        body: [
          { op: 'add', path: '/description', value: values.description },
          { op: 'replace', path: '/type', value: values.type },
          { op: 'replace', path: '/impressionData', value: values.impressionData },
        ],
      }),
    changes: changedByFlags,
    notice: 'Settings saved',
  });
  return (
    <SectionCard title="General">
      <form onSubmit={saving.submit} noValidate>
        <Stack>
          <FlagFields form={form} />
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
