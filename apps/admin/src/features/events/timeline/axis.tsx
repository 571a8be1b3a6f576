import { formatDate, formatMinute, formatTime } from '../../../ui/dates.ts';
import { laneHeight, lanes, top } from './lanes.ts';
import { type TimeRange, ticksOf } from './scale.ts';
import styles from './timeline.module.css';
import type { Complete } from './timeline-items.ts';

interface Props {
  readonly range: TimeRange;
  readonly width: number;
  /** The vertical position of the axis line, in pixels. */
  readonly height: number;
  readonly complete: Complete;
}

const day = 86_400_000;

/** Draws the axis with its ticks and labels. */
export function Axis({ range, width, height, complete }: Props) {
  const offset = -new Date(range.end).getTimezoneOffset() * 60_000;
  const { step, at } = ticksOf(range, Math.max(2, Math.floor(width / 76)), offset);
  const x = (ms: number) => ((ms - range.start) / (range.end - range.start)) * width;
  return (
    <g aria-hidden>
      {lanes.map(({ name }, index) => (
        <Unknown key={name} width={Math.min(width, x(complete[name] ?? range.start))} y={top + index * laneHeight} />
      ))}
      <line x1={0} x2={width} y1={height} y2={height} className={styles.axis} />
      {at.map((ms) => (
        <g key={ms}>
          <line x1={x(ms)} x2={x(ms)} y1={0} y2={height + 4} className={styles.tick} />
          <text x={x(ms)} y={height + 18} textAnchor="middle" className={styles.note}>
            {labelOf(ms, step, offset)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Marks the part of a lane that is incomplete. */
function Unknown({ width, y }: { readonly width: number; readonly y: number }) {
  if (width <= 0) return null;
  return (
    <>
      <rect x={0} width={width} y={y} height={laneHeight} className={styles.unknown} />
      {width > 330 && (
        <text x={width - 18} y={y + laneHeight / 2 + 8} textAnchor="end" className={styles.note}>
          Too many items: zoom in
        </text>
      )}
    </>
  );
}

function labelOf(ms: number, step: number, offset: number): string {
  if (step >= day || (ms + offset) % day === 0) return formatDate(ms);
  return step < 60_000 ? formatTime(ms) : formatMinute(ms);
}
