import { ActionIcon, Anchor, Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconEdit, IconExternalLink, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { changedByFlags, type Flag, useFlagAction } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useMay } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SideCard } from '../../ui/side-card.tsx';
import { Muted } from '../../ui/text.tsx';

type FlagLink = NonNullable<Flag['links']>[number];

/** The links of a flag, such as its ticket or dashboard. */
export function FlagLinks({ flag }: { readonly flag: Flag }) {
  const [edited, setEdited] = useState<FlagLink | 'new'>();
  const may = useMay()('UPDATE_FEATURE', { project: flag.project });
  const links = flag.links ?? [];
  return (
    <SideCard
      title="Links"
      action={
        <Permitted needs="UPDATE_FEATURE" place={{ project: flag.project }}>
          <Button size="compact-sm" variant="subtle" onClick={() => setEdited('new')} aria-label="Add a link">
            Add
          </Button>
        </Permitted>
      }
    >
      {links.length === 0 && <Muted>No links yet. Add its ticket, design or dashboard.</Muted>}
      {links.map((link) => (
        <LinkRow key={link.id} flag={flag} link={link} editable={may} onEdit={() => setEdited(link)} />
      ))}
      {edited !== undefined && (
        <EditLink flag={flag} link={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </SideCard>
  );
}

interface RowProps {
  readonly flag: Flag;
  readonly link: FlagLink;
  readonly editable: boolean;
  readonly onEdit: () => void;
}

function LinkRow({ flag, link, editable, onEdit }: RowProps) {
  const title = link.title ?? link.url;
  const remove = useFlagAction(() =>
    api('DELETE /api/admin/projects/:projectId/features/:featureName/link/:linkId', {
      params: { projectId: flag.project, featureName: flag.name, linkId: link.id },
    }),
  );
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Anchor href={link.url} target="_blank" rel="noreferrer" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {title} <IconExternalLink size={12} aria-label="(opens in a new tab)" />
      </Anchor>
      {editable && (
        <Group gap={2} wrap="nowrap">
          <ActionIcon variant="subtle" color="gray" onClick={onEdit} aria-label={`Edit the link ${title}`}>
            <IconEdit size={14} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            onClick={() => remove.mutate(undefined)}
            loading={remove.isPending}
            aria-label={`Remove the link ${title}`}
          >
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </Group>
  );
}

interface EditProps {
  readonly flag: Flag;
  readonly link: FlagLink | undefined;
  readonly onClose: () => void;
}

function EditLink({ flag, link, onClose }: EditProps) {
  const form = useForm({ initialValues: valuesOf(link) });
  const params = { projectId: flag.project, featureName: flag.name };
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(values);
      if (link === undefined)
        await api('POST /api/admin/projects/:projectId/features/:featureName/link', { params, body: edited });
      else {
        const { links } = await api('GET /api/admin/projects/:projectId/features/:featureName', { params });
        const current = bodyOf(valuesOf(links?.find(({ id }) => id === link.id) ?? link));
        const edits = editedFields({ loaded: bodyOf(form.getInitialValues()), edited, current });
        await api('PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId', {
          params: { ...params, linkId: link.id },
          body: { ...current, ...edits },
        });
      }
    },
    changes: changedByFlags,
    onSaved: onClose,
  });
  return (
    <FormDialog
      title={link === undefined ? 'Add a link' : 'Edit the link'}
      save="Save link"
      saving={saving}
      onClose={onClose}
    >
      <TextInput label="URL" placeholder="https://" required data-autofocus {...form.getInputProps('url')} />
      <TextInput label="Title" autoComplete="off" {...form.getInputProps('title')} />
    </FormDialog>
  );
}

function valuesOf(link: FlagLink | undefined) {
  return { url: link?.url ?? '', title: link?.title ?? '' };
}

function bodyOf({ url, title }: ReturnType<typeof valuesOf>) {
  return { url: url.trim(), title: title.trim() === '' ? null : title.trim() };
}
