import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import type { Banner } from './banner-queries.ts';

interface Props {
  /** The banner to edit; absent to create a new banner. */
  readonly banner?: Banner;
  readonly onClose: () => void;
}

const variants = [
  { value: 'info', label: 'Information' },
  { value: 'success', label: 'Success' },
  { value: 'warning', label: 'Warning' },
  { value: 'error', label: 'Error' },
];

/** Creates or edits a banner. */
export function BannerForm({ banner, onClose }: Props) {
  const form = useForm({
    initialValues: valuesOf(banner),
  });
  const saving = useSaving(form, {
    save: async (edited) => {
      if (banner === undefined) return api('POST /api/admin/banners', { body: edited });
      const { banners } = await api('GET /api/admin/banners');
      const current = valuesOf(banners.find(({ id }) => id === banner.id) ?? banner);
      const edits = editedFields({ loaded: form.getInitialValues(), edited, current });
      const body = { message: current.message, ...edits };
      return api('PUT /api/admin/banners/:id', { params: { id: banner.id }, body });
    },
    changes: ['GET /api/admin/banners'],
    notice: banner === undefined ? 'Banner created' : 'Banner saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={banner === undefined ? 'New banner' : 'Edit banner'}
      save={banner === undefined ? 'Create banner' : 'Save banner'}
      saving={saving}
      onClose={onClose}
    >
      <Textarea label="Message" required autosize minRows={2} data-autofocus {...form.getInputProps('message')} />
      <Select label="Kind" data={variants} allowDeselect={false} {...form.getInputProps('variant')} />
      <Switch label="Show the banner" {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <Switch label="Cannot be dismissed" {...form.getInputProps('sticky', { type: 'checkbox' })} />
      <TextInput
        label="Link"
        description="A URL, or “dialog” to show the text below in a dialog."
        autoComplete="off"
        {...form.getInputProps('link')}
      />
      <TextInput label="Link text" autoComplete="off" {...form.getInputProps('linkText')} />
      {form.values.link === 'dialog' && (
        <>
          <TextInput label="Dialog title" autoComplete="off" {...form.getInputProps('dialogTitle')} />
          <Textarea label="Dialog text" autosize minRows={4} {...form.getInputProps('dialog')} />
        </>
      )}
    </FormDrawer>
  );
}

function valuesOf(banner: Banner | undefined) {
  return {
    message: banner?.message ?? '',
    variant: banner?.variant ?? ('info' as const),
    sticky: banner?.sticky ?? false,
    enabled: banner?.enabled ?? true,
    link: banner?.link ?? '',
    linkText: banner?.linkText ?? '',
    dialogTitle: banner?.dialogTitle ?? '',
    dialog: banner?.dialog ?? '',
  };
}
