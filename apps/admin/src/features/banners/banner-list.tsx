import { Badge, Group, Stack, Switch, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { useReport } from '../../ui/report.ts';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { BannerForm } from './banner-form.tsx';
import { type Banner, bannersQuery } from './banner-queries.ts';

type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly banner: Banner };

const key = 'GET /api/admin/banners';
const permission = ['ADMIN', 'UPDATE_INSTANCE_BANNERS'];

/** What everybody is told at the top of each page. */
export function BannerList() {
  const banners = useQuery(bannersQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Loaded query={banners} rows={2}>
      {({ banners: list }) => (
        <Stack>
          <Group justify="flex-end">
            <NewButton needs={permission} onClick={() => setOpen({ kind: 'new' })}>
              New banner
            </NewButton>
          </Group>
          {list.length === 0 ? (
            <EmptyState title="No banners yet">A banner tells everybody something at the top of each page.</EmptyState>
          ) : (
            <BannerTable banners={list} onOpen={setOpen} />
          )}
          {open?.kind === 'new' && <BannerForm onClose={close} />}
          {open?.kind === 'edit' && <BannerForm banner={open.banner} onClose={close} />}
          {open?.kind === 'remove' && (
            <Confirm
              title="Delete banner?"
              action="Delete banner"
              run={() => api('DELETE /api/admin/banners/:id', { params: { id: open.banner.id } })}
              changes={[key]}
              onClose={close}
            >
              It is gone for good. To hide it for a while, switch it off.
            </Confirm>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function BannerTable({
  banners,
  onOpen,
}: {
  readonly banners: readonly Banner[];
  readonly onOpen: (open: Open) => void;
}) {
  return (
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Message</Table.Th>
          <Table.Th>Shown</Table.Th>
          <Table.Th w={56} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {banners.map((banner) => (
          <Table.Tr key={banner.id}>
            <Table.Td>
              <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                {banner.message}
              </Text>
              <Badge size="sm" variant="light" color="gray" tt="none">
                {banner.variant}
              </Badge>
            </Table.Td>
            <Table.Td>
              <BannerSwitch banner={banner} />
            </Table.Td>
            <Table.Td>
              <RowMenu
                of={banner.message.slice(0, 40)}
                actions={[
                  editAction(() => onOpen({ kind: 'edit', banner }), { needs: permission }),
                  deleteAction(() => onOpen({ kind: 'remove', banner }), { needs: permission }),
                ]}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function BannerSwitch({ banner: { id, enabled, message } }: { readonly banner: Banner }) {
  const queries = useQueryClient();
  const report = useReport();
  const change = useMutation({
    mutationFn: (on: boolean) =>
      on
        ? api('POST /api/admin/banners/:id/on', { params: { id } })
        : api('POST /api/admin/banners/:id/off', { params: { id } }),
    onError: report,
    onSettled: () => queries.invalidateQueries({ queryKey: [key] }),
  });
  return (
    <Permitted needs={permission}>
      <Switch
        checked={change.isPending ? (change.variables ?? enabled) : enabled}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
        aria-label={`Show: ${message.slice(0, 40)}`}
      />
    </Permitted>
  );
}
