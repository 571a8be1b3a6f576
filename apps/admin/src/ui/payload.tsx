import { Code, Group, SegmentedControl, Stack } from '@mantine/core';
import { LongNumber } from '@yardarm/contract/long-number';
import { useState } from 'react';
import { defaultStyles, JsonView } from 'react-json-view-lite';
import { CopyButton } from './copy-button.tsx';
import classes from './payload.module.css';
import 'react-json-view-lite/dist/index.css';
import { Strong } from './text.tsx';

const styles = {
  ...defaultStyles,
  container: classes.tree ?? '',
  label: classes.label ?? '',
  clickableLabel: classes.label ?? '',
  expandIcon: `${defaultStyles.expandIcon} ${classes.icon}`,
  collapseIcon: `${defaultStyles.collapseIcon} ${classes.icon}`,
  punctuation: classes.mark ?? '',
  stringValue: classes.string ?? '',
  numberValue: classes.number ?? '',
  nullValue: classes.word ?? '',
  booleanValue: classes.word ?? '',
  otherValue: classes.word ?? '',
};

/** Shows a JSON value as a collapsible tree or as raw text. */
export function Payload({ title, value }: { readonly title: string; readonly value: unknown }) {
  const [view, setView] = useState('tree');
  const text = JSON.stringify(value, null, 2);
  const isTree = typeof value === 'object' && value !== null;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Strong>{title}</Strong>
        <Group gap="xs">
          {isTree && (
            <SegmentedControl
              size="xs"
              value={view}
              onChange={setView}
              data={[
                { value: 'tree', label: 'Tree' },
                { value: 'raw', label: 'Raw' },
              ]}
              aria-label="Payload view"
            />
          )}
          <CopyButton value={text} label="Copy the payload" />
        </Group>
      </Group>
      {isTree && view === 'tree' ? (
        <JsonView data={treeOf(value)} shouldExpandNode={(level) => level < 5} clickToExpandNode style={styles} />
      ) : (
        <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
      )}
    </Stack>
  );
}

/** Returns a value with long numbers as texts: the tree shows numbers that a double holds only. */
function treeOf(value: object): object {
  const shown = (member: unknown) => {
    if (member instanceof LongNumber) return member.toString();
    return typeof member === 'object' && member !== null ? treeOf(member) : member;
  };
  if (Array.isArray(value)) return value.map(shown);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shown(member)]));
}
