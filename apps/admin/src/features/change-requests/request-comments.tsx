import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ChangeRequest } from '../../entities/change-requests/request-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormError } from '../../ui/form-error.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint } from '../../ui/text.tsx';

/** Lists the comments of a change request, with a form for a new one. */
export function RequestComments({ request }: { readonly request: ChangeRequest }) {
  const form = useForm({
    initialValues: { text: '' },
    validate: { text: (text) => (text.trim() === '' ? 'Enter a comment.' : null) },
  });
  const saving = useSaving(form, {
    save: ({ text }) =>
      api('POST /api/admin/projects/:projectId/change-requests/:id/comments', {
        params: { projectId: request.project, id: request.id },
        body: { text },
      }),
    changes: ['GET /api/admin/projects/:projectId/change-requests/:id'],
    onSaved: () => form.reset(),
  });
  return (
    <SectionCard title="Comments">
      {request.comments.map(({ id, text, createdBy, createdAt }) => (
        <Stack key={id} gap={2}>
          <Text size="sm">
            <b>{createdBy.username}</b>{' '}
            <Hint span>
              <RelativeTime at={createdAt} />
            </Hint>
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        </Stack>
      ))}
      <form onSubmit={saving.submit} noValidate>
        <Stack gap="xs">
          <Textarea label="New comment" autosize minRows={2} {...form.getInputProps('text')} />
          <FormError>{saving.formError}</FormError>
          <Group>
            <Button type="submit" variant="default" loading={saving.pending}>
              Comment
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}
