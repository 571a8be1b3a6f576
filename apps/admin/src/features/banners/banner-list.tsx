import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { ChangeSwitch } from '../../ui/change-switch.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { SmallBadge } from '../../ui/text.tsx';
import { BannerForm } from './banner-form.tsx';
import { type Banner, bannersQuery } from './banner-queries.ts';

type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly banner: Banner };

const key = 'GET /api/admin/banners';
const permission = ['ADMIN', 'UPDATE_INSTANCE_BANNERS'];

/** Lists the banners, which are shown at the top of each page. */
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
          <Listing
            rows={list}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No banners yet">
                A banner shows a message to all users at the top of each page.
              </EmptyState>
            }
            columns={columns}
            menu={(banner) => ({
              of: banner.message.slice(0, 40),
              actions: [
                editAction(() => setOpen({ kind: 'edit', banner }), { needs: permission }),
                deleteAction(() => setOpen({ kind: 'remove', banner }), { needs: permission }),
              ],
            })}
          />
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
              This cannot be undone. To hide the banner for a while, switch it off instead.
            </Confirm>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

const columns: readonly Column<Banner>[] = [
  { header: 'Message', cell: (banner) => <BannerMessage banner={banner} /> },
  { header: 'Shown', cell: (banner) => <BannerSwitch banner={banner} /> },
];

function BannerMessage({ banner: { message, variant } }: { readonly banner: Banner }) {
  return (
    <>
      <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      <SmallBadge color="gray">{variant}</SmallBadge>
    </>
  );
}

function BannerSwitch({ banner: { id, enabled, message } }: { readonly banner: Banner }) {
  const params = { id };
  return (
    <ChangeSwitch
      label={`Show: ${message.slice(0, 40)}`}
      on={enabled}
      needs={permission}
      set={(on) =>
        on ? api('POST /api/admin/banners/:id/on', { params }) : api('POST /api/admin/banners/:id/off', { params })
      }
      changes={[key]}
    />
  );
}
