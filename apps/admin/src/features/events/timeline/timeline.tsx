import { ActionIcon, Button, Group, Paper, SegmentedControl, Stack, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconFilter, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type EventSearch, type Span, spans } from '../../../entities/events/event-search.ts';
import { formatDateMinute } from '../../../ui/dates.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Hint } from '../../../ui/text.tsx';
import { AxisView } from './axis-view.tsx';
import { Legend } from './glyphs.tsx';
import { ItemList } from './item-list.tsx';
import { around, panned, type TimeRange, zoomed } from './scale.ts';
import { type TimelineItem, useTimeline } from './timeline-items.ts';
import { useTimeRange } from './use-time-range.ts';

interface Props {
  readonly search: EventSearch;
  readonly onChange: (part: EventSearch) => void;
}

type View = 'axis' | 'list';

/** The timeline of signals and changes. */
export function Timeline({ search, onChange }: Props) {
  const { range, live, show } = useTimeRange(search, onChange);
  const { data, error, refetch } = useTimeline(search, range, live);
  const [view, setView] = useState<View>('axis');
  const open = ({ kind, id }: TimelineItem) =>
    onChange(kind === 'signal' ? { received: id, event: undefined } : { event: id, received: undefined });
  const closer = (start: number, end: number) => {
    // Items within a second are too close for separate markers: show the list instead.
    if (end - start < 1000) setView('list');
    show(around(start, end));
  };
  const items = data?.items ?? [];
  const inSight = items.filter(({ at }) => at >= range.start && at <= range.end);
  return (
    <Paper withBorder p="sm" component="section" aria-label="Timeline">
      <Stack gap="xs">
        <Toolbar
          range={range}
          span={live ? (search.span ?? '1d') : undefined}
          view={view}
          onView={setView}
          onShow={show}
          onChange={onChange}
        />
        {error !== null && data === undefined ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : view === 'axis' ? (
          <AxisView
            items={items}
            complete={data?.complete ?? {}}
            range={range}
            selected={search.event === undefined ? `s${search.received}` : `e${search.event}`}
            onShow={show}
            onOpen={open}
            onCloser={closer}
          />
        ) : (
          <ItemList items={inSight} onOpen={open} />
        )}
        <Group justify="space-between" gap="xs">
          <Legend />
          <Hint aria-live="polite">
            {data === undefined
              ? ''
              : countsOf(
                  inSight,
                  Object.values(data.complete).some((from) => from > range.start),
                )}
          </Hint>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Returns the numbers of signals and changes as text. `more` says that not all items are loaded. */
function countsOf(items: readonly TimelineItem[], more: boolean): string {
  const signals = items.filter(({ kind }) => kind === 'signal').length;
  const changes = items.length - signals;
  const count = (n: number, noun: string) => `${n.toLocaleString()} ${n === 1 ? noun : `${noun}s`}`;
  return `${more ? 'The newest: ' : ''}${count(signals, 'signal')}, ${count(changes, 'change')}`;
}

interface ToolbarProps {
  readonly range: TimeRange;
  readonly span: Span | undefined;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly onShow: (range: TimeRange) => void;
  readonly onChange: (part: EventSearch) => void;
}

function Toolbar({ range, span, view, onView, onShow, onChange }: ToolbarProps) {
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          value={span ?? ''}
          onChange={(chosen) => onChange({ span: chosen as Span, start: undefined, end: undefined })}
          data={Object.keys(spans).map((name) => ({ value: name, label: name }))}
          aria-label="Time span"
        />
        <Group gap={2}>
          <Tool label="Earlier" onClick={() => onShow(panned(range, -0.5))}>
            <IconChevronLeft size={16} />
          </Tool>
          <Tool label="Later" onClick={() => onShow(panned(range, 0.5))}>
            <IconChevronRight size={16} />
          </Tool>
          <Tool label="Zoom in" onClick={() => onShow(zoomed(range, 0.5))}>
            <IconZoomIn size={16} />
          </Tool>
          <Tool label="Zoom out" onClick={() => onShow(zoomed(range, 2))}>
            <IconZoomOut size={16} />
          </Tool>
        </Group>
        <Hint>
          {formatDateMinute(range.start)} to {span === undefined ? formatDateMinute(range.end) : 'now'}
        </Hint>
      </Group>
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconFilter size={14} aria-hidden />}
          onClick={() => onChange({ from: isoTime(range.start), to: isoTime(range.end) })}
        >
          Filter the log by this range
        </Button>
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(chosen) => onView(chosen as View)}
          data={[
            { value: 'axis', label: 'Axis' },
            { value: 'list', label: 'List' },
          ]}
          aria-label="Timeline view"
        />
      </Group>
    </Group>
  );
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

interface ToolProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Tool({ label, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="md" onClick={onClick} aria-label={label}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
