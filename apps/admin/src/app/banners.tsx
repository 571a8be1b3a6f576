import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FrozenNotice } from '../features/actions/freeze-automation.tsx';
import { HeldNotice } from '../features/now/held-notice.tsx';
import type { Answer } from '../lib/api.ts';
import { apiQuery } from '../lib/api-query.ts';
import { instanceQuery } from '../lib/instance.ts';
import { Dialog } from '../ui/dialog.tsx';

type Banner = Answer<'GET /api/admin/banners'>['banners'][number];

const looks = {
  info: { color: 'sea', Icon: IconInfoCircle },
  success: { color: 'green', Icon: IconCircleCheck },
  warning: { color: 'yellow', Icon: IconAlertTriangle },
  error: { color: 'red', Icon: IconAlertTriangle },
} as const;

/** Shows the notices on every page: maintenance, frozen automation, held flags and the banners of administrators. */
export function Banners() {
  const { data: maintenance } = useQuery({ ...instanceQuery, select: (instance) => instance.maintenanceMode });
  const { data: banners } = useQuery({
    ...apiQuery('GET /api/admin/banners'),
    select: (answer) => answer.banners.filter(({ enabled }) => enabled),
    staleTime: 60_000,
  });
  const [dismissed, setDismissed] = useState<readonly number[]>([]);
  const shown = banners?.filter(({ id }) => !dismissed.includes(id)) ?? [];
  return (
    <Stack gap="xs" mb="lg" component="section" aria-label="Announcements" className="announcements">
      <FrozenNotice />
      <HeldNotice />
      {maintenance === true && (
        <Alert color="yellow" variant="light" icon={<IconTool aria-hidden />} title="Maintenance mode">
          Nothing can be changed during maintenance, and automation waits. SDKs and signals work as usual.
        </Alert>
      )}
      {shown.map((banner) => (
        <Announcement
          key={banner.id}
          banner={banner}
          onDismiss={() => setDismissed((before) => [...before, banner.id])}
        />
      ))}
    </Stack>
  );
}

function Announcement({ banner, onDismiss }: { readonly banner: Banner; readonly onDismiss: () => void }) {
  const { color, Icon } = looks[banner.variant];
  return (
    <Alert
      color={color}
      variant="light"
      icon={<Icon aria-hidden />}
      withCloseButton={!banner.sticky}
      closeButtonLabel="Dismiss"
      onClose={onDismiss}
    >
      <Group gap="sm">
        <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {banner.message}
        </Text>
        <More banner={banner} />
      </Group>
    </Alert>
  );
}

/** The link of a banner. It leads to an address, or opens a dialog with more text. */
function More({ banner: { link, linkText, dialog, dialogTitle } }: { readonly banner: Banner }): ReactNode {
  const [opened, setOpened] = useState(false);
  const words = linkText === null || linkText === '' ? 'More' : linkText;
  if (link === null || link === '') return null;
  if (link !== 'dialog')
    return (
      <Anchor href={link} size="sm" rel="noreferrer" underline="always" c="inherit">
        {words}
      </Anchor>
    );
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpened(true)}>
        {words}
      </Button>
      {opened && (
        <Dialog onClose={() => setOpened(false)} title={dialogTitle ?? words}>
          <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {dialog}
          </Text>
        </Dialog>
      )}
    </>
  );
}
