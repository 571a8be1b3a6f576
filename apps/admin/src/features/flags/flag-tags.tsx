import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/problems.ts';
import { Dialog } from '../../ui/over-page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { type Flag, useFlagsChanged } from './flag-queries.ts';
import { SideCard } from './side-card.tsx';
import { TagInput, tagOf, textOf } from './tag-input.tsx';

/** The tags of a flag. */
export function FlagTags({ flag }: { readonly flag: Flag }) {
  const [editing, setEditing] = useState(false);
  return (
    <SideCard
      title="Tags"
      action={
        <Permitted needs="UPDATE_FEATURE" place={{ project: flag.project }}>
          <Button size="compact-sm" variant="subtle" onClick={() => setEditing(true)} aria-label="Edit tags">
            Edit
          </Button>
        </Permitted>
      }
    >
      {flag.tags.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet. Tags bring together flags of a team or a topic.
        </Text>
      ) : (
        <Group gap={6}>
          {flag.tags.map((tag) => (
            <Badge key={textOf(tag)} variant="default" tt="none" fw={500}>
              {textOf(tag)}
            </Badge>
          ))}
        </Group>
      )}
      {editing && <EditTags flag={flag} onClose={() => setEditing(false)} />}
    </SideCard>
  );
}

function EditTags({ flag, onClose }: { readonly flag: Flag; readonly onClose: () => void }) {
  const before = flag.tags.map(textOf);
  const [tags, setTags] = useState(before);
  const changed = useFlagsChanged();
  const save = useMutation({
    mutationFn: () =>
      api('PUT /api/admin/features/:featureName/tags', {
        params: { featureName: flag.name },
        body: {
          addedTags: tags.filter((tag) => !before.includes(tag)).map(tagOf),
          removedTags: before.filter((tag) => !tags.includes(tag)).map(tagOf),
        },
      }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Tags of ${flag.name}`}>
      <Stack>
        <TagInput
          label="Tags"
          tags={tags}
          onChange={setTags}
          error={save.error === null ? undefined : messageOf(save.error)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => save.mutate()} loading={save.isPending}>
            Save tags
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
