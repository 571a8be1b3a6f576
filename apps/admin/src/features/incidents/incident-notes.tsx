import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint, RowName } from '../../ui/text.tsx';
import type { Incident } from './incident-queries.ts';

type Note = Incident['notes'][number];

interface Props {
  readonly incidentId: number;
  readonly notes: readonly Note[];
}

const changes = ['GET /api/admin/incidents/:incidentId', 'GET /api/admin/incident-report'] as const;

/** Lists the notes of an incident, with a form for a new one. */
export function IncidentNotes(props: Props) {
  return (
    <SectionCard title="Notes" description="For those who were not there. Everyone who sees the incident sees them.">
      <NoteList {...props} />
      <NoteForm incidentId={props.incidentId} />
    </SectionCard>
  );
}

/** Lists the notes of an incident. Its author can delete a note. */
export function NoteList({ incidentId, notes }: Props) {
  const [deleting, setDeleting] = useState<Note>();
  return (
    <>
      {notes.map((note) => (
        <Stack key={note.id} gap={2}>
          <Group gap="xs">
            <RowName>{note.createdBy}</RowName>
            <Hint span>
              <RelativeTime at={note.createdAt} />
            </Hint>
            {note.isOwn && (
              <Button variant="subtle" color="red" size="compact-xs" onClick={() => setDeleting(note)}>
                Delete note
              </Button>
            )}
          </Group>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {note.note}
          </Text>
        </Stack>
      ))}
      {deleting !== undefined && (
        <Confirm
          title="Delete the note?"
          action="Delete note"
          run={() =>
            api('DELETE /api/admin/incidents/:incidentId/notes/:noteId', {
              params: { incidentId, noteId: deleting.id },
            })
          }
          changes={changes}
          onClose={() => setDeleting(undefined)}
        >
          The event log keeps that it was written, and its text.
        </Confirm>
      )}
    </>
  );
}

interface FormProps extends Pick<Props, 'incidentId'> {
  readonly onSaved?: () => void;
}

/** Adds a note to an incident. */
export function NoteForm({ incidentId, onSaved }: FormProps) {
  const form = useForm({
    initialValues: { note: '' },
    validate: { note: (note) => (note.trim() === '' ? 'Enter a note.' : null) },
  });
  const saving = useSaving(form, {
    save: (body) => api('POST /api/admin/incidents/:incidentId/notes', { params: { incidentId }, body }),
    changes,
    onSaved: () => {
      form.reset();
      onSaved?.();
    },
  });
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack gap="xs">
        <Textarea label="New note" autosize minRows={2} {...form.getInputProps('note')} />
        <FormError>{saving.formError}</FormError>
        <Group>
          <Button type="submit" variant="default" loading={saving.pending}>
            Add note
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
