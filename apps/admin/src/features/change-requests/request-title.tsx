import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import type { ChangeRequest } from '../../entities/change-requests/request-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { useMayEdit } from './edit-change.tsx';

/** Edits the title of a change request. Only its author may, while it is open. */
export function TitleButton({ request }: { readonly request: ChangeRequest }) {
  const [editing, setEditing] = useState(false);
  if (!useMayEdit(request)) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing(true)}>
        Edit title
      </Button>
      {editing && <TitleForm request={request} onClose={() => setEditing(false)} />}
    </>
  );
}

function TitleForm({ request, onClose }: { readonly request: ChangeRequest; readonly onClose: () => void }) {
  const form = useForm({ initialValues: { title: request.title } });
  const saving = useSaving(form, {
    save: ({ title }) =>
      api('PUT /api/admin/projects/:projectId/change-requests/:id/title', {
        params: { projectId: request.project, id: request.id },
        body: { title },
      }),
    changes: [
      'GET /api/admin/projects/:projectId/change-requests/:id',
      'GET /api/admin/projects/:projectId/change-requests',
      'GET /api/admin/search/change-requests',
    ],
    onSaved: onClose,
  });
  return (
    <FormDrawer title="Edit title" save="Save title" saving={saving} onClose={onClose}>
      <TextInput label="Title" autoComplete="off" data-autofocus {...form.getInputProps('title')} />
    </FormDrawer>
  );
}
