import { Group, Stack, Switch, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Expiry } from '../../ui/expiry.tsx';
import { ExpiryField, inDays } from '../../ui/expiry-field.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { useReport } from '../../ui/report.ts';
import { SecretOnce } from '../../ui/secret-once.tsx';

type InviteLink = Answer<'GET /api/admin/invite-link/tokens'>['tokens'][number];

const key = 'GET /api/admin/invite-link/tokens';

/** Links by which people make themselves accounts. */
export function InviteLinks() {
  const links = useQuery({ queryKey: [key], queryFn: async () => (await api(key)).tokens });
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
          {list.length === 0 ? (
            <EmptyState title="No invite links yet">
              Whoever has an invite link can make themselves an account, as a Viewer.
            </EmptyState>
          ) : (
            <LinkTable links={list} />
          )}
          {making && <LinkForm onMade={setUrl} onClose={() => setMaking(false)} />}
          <SecretOnce
            title="Invite link created"
            secret={url === undefined ? undefined : { what: 'link', value: url }}
            onClose={() => setUrl(undefined)}
          >
            Whoever opens it can make themselves an account, as a Viewer.
          </SecretOnce>
        </Stack>
      )}
    </Loaded>
  );
}

function LinkTable({ links }: { readonly links: readonly InviteLink[] }) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th visibleFrom="sm">Came by it</Table.Th>
            <Table.Th>Enabled</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map((link) => (
            <Table.Tr key={link.id}>
              <Table.Td>
                <Text size="sm" fw={550}>
                  {link.name}
                </Text>
              </Table.Td>
              <Table.Td>
                <Expiry at={link.expiresAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm">{link.users.length === 1 ? '1 user' : `${link.users.length} users`}</Table.Td>
              <Table.Td>
                <LinkSwitch link={link} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function LinkSwitch({ link }: { readonly link: InviteLink }) {
  const queries = useQueryClient();
  const report = useReport();
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      api('PUT /api/admin/invite-link/tokens/:token', { params: { token: `${link.id}` }, body: { enabled } }),
    onError: report,
    onSettled: () => queries.invalidateQueries({ queryKey: [key] }),
  });
  return (
    <Permitted needs="ADMIN">
      <Switch
        checked={change.isPending ? (change.variables ?? link.enabled) : link.enabled}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
        aria-label={`${link.name} can be used`}
      />
    </Permitted>
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
        description="Who it is for."
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ExpiryField {...form.getInputProps('expiresAt')} />
    </FormDrawer>
  );
}
