import { Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { ChangeSwitch } from '../../ui/change-switch.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Expiry } from '../../ui/expiry.tsx';
import { ExpiryField, inDays } from '../../ui/expiry-field.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';

type InviteLink = Answer<'GET /api/admin/invite-link/tokens'>['tokens'][number];

const key = 'GET /api/admin/invite-link/tokens';

/** Lists the invite links, by which people create accounts. */
export function InviteLinks() {
  const links = useQuery(apiQuery(key, {}, ({ tokens }) => tokens));
  const [making, setMaking] = useState(false);
  const [url, setUrl] = useState<string>();
  return (
    <Loaded query={links} rows={2}>
      {(list) => (
        <Stack>
          <Group justify="flex-end">
            <NewButton needs="ADMIN" onClick={() => setMaking(true)}>
              New invite link
            </NewButton>
          </Group>
          <Listing
            rows={list}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No invite links yet">
                Anyone who has an invite link can create an account with the role Viewer.
              </EmptyState>
            }
            columns={columns}
          />
          {making && <LinkForm onMade={setUrl} onClose={() => setMaking(false)} />}
          <SecretOnce
            title="Invite link created"
            secret={url === undefined ? undefined : { kind: 'link', value: url }}
            onClose={() => setUrl(undefined)}
          >
            Anyone who opens it can create an account with the role Viewer.
          </SecretOnce>
        </Stack>
      )}
    </Loaded>
  );
}

const columns: readonly Column<InviteLink>[] = [
  { header: 'Name', cell: ({ name }) => <NameCell name={name} /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  {
    header: 'Signed up',
    visibleFrom: 'sm',
    cell: ({ users }) => (users.length === 1 ? '1 user' : `${users.length} users`),
  },
  { header: 'Enabled', cell: (link) => <LinkSwitch link={link} /> },
];

function LinkSwitch({ link: { id, name, enabled: on } }: { readonly link: InviteLink }) {
  const params = { token: `${id}` };
  return (
    <ChangeSwitch
      label={`${name} is enabled`}
      on={on}
      needs="ADMIN"
      set={(enabled) => api('PUT /api/admin/invite-link/tokens/:token', { params, body: { enabled } })}
      changes={[key]}
    />
  );
}

interface LinkFormProps {
  readonly onMade: (url: string) => void;
  readonly onClose: () => void;
}

function LinkForm({ onMade, onClose }: LinkFormProps) {
  const form = useForm({ initialValues: { name: '', expiresAt: inDays(30) } });
  const saving = useSaving(form, {
    save: (body) => api('POST /api/admin/invite-link/tokens', { body }),
    changes: [key],
    onSaved: ({ url }) => {
      onClose();
      onMade(url);
    },
  });
  return (
    <FormDrawer title="New invite link" save="Create invite link" saving={saving} onClose={onClose}>
      <TextInput
        label="Name"
        description="The people that the link is for."
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ExpiryField {...form.getInputProps('expiresAt')} />
    </FormDrawer>
  );
}
