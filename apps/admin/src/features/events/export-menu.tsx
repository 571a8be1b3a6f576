import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { eventCsvHeader, eventCsvRows } from '@yardarm/contract/event-csv';
import type { EventSearch } from '../../entities/events/event-search.ts';
import { saveFile } from '../../lib/save-file.ts';
import { serverNow } from '../../lib/server-time.ts';
import { counted } from '../../ui/counted.ts';
import { useReportError } from '../../ui/report-error.ts';
import { allEvents, exportedUpTo, recordExport } from './export-events.ts';

interface Props {
  readonly search: EventSearch;
  /** The number of matching events, and whether it is exact. */
  readonly count: number;
  readonly isWhole: boolean;
}

/** Exports all matching events as a file, not only the loaded ones. */
export function ExportMenu({ search, count, isWhole }: Props) {
  const report = useReportError();
  const save = useMutation({
    mutationFn: async (format: 'json' | 'csv') => {
      const events = await allEvents(search);
      await recordExport(search, format, events.length);
      const name = `events-${new Date(serverNow()).toISOString().slice(0, 19).replaceAll(':', '')}`;
      if (format === 'csv') saveFile(`${name}.csv`, 'text/csv', eventCsvHeader + eventCsvRows(events));
      else saveFile(`${name}.json`, 'application/json', JSON.stringify(events, null, 2));
    },
    onError: report,
  });
  const many =
    isWhole && count < exportedUpTo
      ? counted(count, 'event')
      : `up to ${exportedUpTo.toLocaleString()} events, the newest`;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={count === 0 && isWhole}
          loading={save.isPending}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate('json')}>JSON: {many}</Menu.Item>
        <Menu.Item onClick={() => save.mutate('csv')}>CSV: {many}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
