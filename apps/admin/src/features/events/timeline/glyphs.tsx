import { Group } from '@mantine/core';
import { Hint } from '../../../ui/text.tsx';
import styles from './timeline.module.css';
import type { TimelineItem } from './timeline-items.ts';

type Kind = TimelineItem['kind'];

/** The SVG path of each kind of item. Kinds differ in shape, not only in color. */
const shapes: Readonly<Record<Kind, string>> = {
  signal: 'M0 -8 8 0 0 8 -8 0Z',
  on: 'M0 -7 7.5 6 -7.5 6Z',
  off: 'M0 7 7.5 -6 -7.5 -6Z',
  change: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z',
};

const words: Readonly<Record<Kind, string>> = {
  signal: 'Signal',
  on: 'Flag enabled',
  off: 'Flag disabled',
  change: 'Other change',
};

/** The symbol of an item, centered at 0, 0. */
export function Glyph({ kind }: { readonly kind: Kind }) {
  return <path d={shapes[kind]} className={styles[kind]} />;
}

/** The legend of the symbols, and help for panning and zooming. */
export function Legend() {
  return (
    <Group gap="sm">
      {(Object.keys(shapes) as Kind[]).map((kind) => (
        <Group key={kind} gap={4} wrap="nowrap">
          <svg width={14} height={14} viewBox="-9 -9 18 18" aria-hidden>
            <Glyph kind={kind} />
          </svg>
          <Hint>{words[kind]}</Hint>
        </Group>
      ))}
      <Hint visibleFrom="lg">Drag to pan, Shift + drag to select a range, Ctrl + wheel to zoom</Hint>
    </Group>
  );
}
