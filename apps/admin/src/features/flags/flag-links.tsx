import { ActionIcon, Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconEdit, IconExternalLink, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { byField } from '../../lib/problems.ts';
import { Dialog } from '../../ui/over-page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { type Flag, useFlagAction, useFlagsChanged } from './flag-queries.ts';
import { SideCard } from './side-card.tsx';

type FlagLink = NonNullable<Flag['links']>[number];

/** Where more is told of a flag: its ticket, its dashboard. */
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
      {links.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet. Link its ticket, its design or its dashboard.
        </Text>
      )}
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
  const [url, setUrl] = useState(link?.url ?? '');
  const [title, setTitle] = useState(link?.title ?? '');
  const changed = useFlagsChanged();
  const params = { projectId: flag.project, featureName: flag.name };
  const body = { url: url.trim(), title: title.trim() === '' ? null : title.trim() };
  const save = useMutation({
    mutationFn: () =>
      link === undefined
        ? api('POST /api/admin/projects/:projectId/features/:featureName/link', { params, body })
        : api('PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId', {
            params: { ...params, linkId: link.id },
            body,
          }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  const problem = save.error === null ? undefined : byField(save.error, ['url', 'title']);
  return (
    <Dialog onClose={onClose} title={link === undefined ? 'Add a link' : 'Edit the link'}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          save.mutate();
        }}
        noValidate
      >
        <Stack>
          <TextInput
            label="URL"
            placeholder="https://"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            error={problem?.fields.url}
            required
            data-autofocus
          />
          <TextInput
            label="Title"
            value={title}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
            error={problem?.fields.title}
          />
          {problem?.rest !== undefined && (
            <Alert color="red" role="alert">
              {problem.rest}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save link
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
