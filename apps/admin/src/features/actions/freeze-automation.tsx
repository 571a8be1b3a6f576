import { Alert, Button, Group, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useActivity } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useChange } from '../../ui/use-change.ts';

const key = 'GET /api/admin/automation';

const automationQuery = apiQuery(key);

/** Shows on every page that automation is frozen, with a button that resumes it. */
export function FrozenNotice() {
  const { data } = useQuery(automationQuery);
  const queries = useQueryClient();
  const settings = useActivity('settings');
  const known = useRef<number>(undefined);
  // Another user may freeze or resume automation while this page is open, or begin maintenance. That halts the plans on
  // the page, too. The first number is no change: it may only be newer than the answer that was read here.
  useEffect(() => {
    if (settings === undefined || settings === known.current) return;
    void queries.invalidateQueries(known.current === undefined ? { queryKey: [key] } : {});
    known.current = settings;
  }, [settings, queries]);
  const thaw = useChange({ run: () => api('POST /api/admin/automation', { body: { frozen: false } }), changes: [key] });
  if (data?.frozen !== true) return null;
  return (
    <Alert color="red" variant="light" icon={<IconPlayerPause aria-hidden />} title="All automation is frozen">
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Signals are stored, but no actions run. Releases and holds wait, and release plans are halted.
          {data.frozenBy !== null && data.frozenAt !== null && (
            <>
              {' '}
              Frozen by {data.frozenBy} <RelativeTime at={data.frozenAt} />.
            </>
          )}
          {data.reason === null ? '' : ` ${data.reason}`}
        </Text>
        <Permitted needs="FREEZE_AUTOMATION">
          <Button size="compact-sm" variant="default" onClick={() => thaw.mutate()} loading={thaw.isPending}>
            Resume automation
          </Button>
        </Permitted>
      </Group>
    </Alert>
  );
}

/** Freezes automation: no action of any project runs. */
export function FreezeButton() {
  const { data } = useQuery(automationQuery);
  const [asking, setAsking] = useState(false);
  if (data === undefined || data.frozen) return null;
  return (
    <>
      <Permitted needs="FREEZE_AUTOMATION">
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          Freeze all automation
        </Button>
      </Permitted>
      {asking && <Freeze onClose={() => setAsking(false)} />}
    </>
  );
}

function Freeze({ onClose }: { readonly onClose: () => void }) {
  const form = useForm({ initialValues: { reason: '' } });
  const saving = useSaving(form, {
    save: ({ reason }) =>
      api('POST /api/admin/automation', { body: { frozen: true, reason: reason === '' ? null : reason } }),
    changes: [key],
    onSaved: onClose,
  });
  return (
    <FormDialog
      title="Freeze all automation?"
      save="Freeze all automation"
      color="red"
      saving={saving}
      onClose={onClose}
    >
      <Text size="sm">
        No actions of any project run until automation is resumed. Runs that release holds wait until then. Runs that
        hold flags wait for a person, on Now. All other runs are recorded as skipped and are not repeated later.
      </Text>
      <Text size="sm">
        Release plans are halted, and go on afterwards with the time that is left. Holds stay beyond their end, and
        scheduled change requests wait. Safeguards only take flags from users.
      </Text>
      <Textarea
        label="Reason"
        description="Shown to everybody."
        autosize
        maxRows={12}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}
