import { Button, Group } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useCopy } from '../../lib/copy-text.ts';
import { saveFile } from '../../lib/save-file.ts';

interface Props {
  /** The name of the files, without an extension. */
  readonly name: string;
  readonly markdown: string;
  /** The text of the CSV file; without it no such file is offered. */
  readonly csv?: () => string;
  readonly json: object;
}

/** Copies a page about incidents as Markdown, and saves it as files. */
export function ExportButtons({ name, markdown, csv, json }: Props) {
  const { result, copy } = useCopy(markdown);
  const download = (format: string, save: () => void) => (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
      Download {format}
    </Button>
  );
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={({ currentTarget }) => void copy(currentTarget)}
      >
        {result === undefined ? 'Copy as Markdown' : result === 'copied' ? 'Copied' : 'Copying failed'}
      </Button>
      {csv !== undefined && download('CSV', () => saveFile(`${name}.csv`, 'text/csv', csv()))}
      {download('JSON', () => saveFile(`${name}.json`, 'application/json', JSON.stringify(json, null, 2)))}
    </Group>
  );
}
