import { formatDate, formatMinute, formatTime } from '../../../ui/dates.ts';
import { laneHeight, lanes, top } from './lanes.ts';
import { type Stretch, ticksOf } from './scale.ts';
import styles from './timeline.module.css';
import type { Complete } from './timeline-items.ts';

interface Props {
  readonly stretch: Stretch;
  readonly width: number;
  /** Where the line of the axis is. */
  readonly height: number;
  readonly complete: Complete;
}

const day = 86_400_000;

/** The line of time, what is written at it, and where now is. */
export function Axis({ stretch, width, height, complete }: Props) {
  const offset = -new Date(stretch.end).getTimezoneOffset() * 60_000;
  const { step, at } = ticksOf(stretch, Math.max(2, Math.floor(width / 76)), offset);
  const x = (ms: number) => ((ms - stretch.start) / (stretch.end - stretch.start)) * width;
  return (
    <g aria-hidden>
      {lanes.map(({ name }, index) => (
        <Unknown key={name} width={Math.min(width, x(complete[name] ?? stretch.start))} y={top + index * laneHeight} />
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

/** Where a lane does not have all that happened. */
function Unknown({ width, y }: { readonly width: number; readonly y: number }) {
  if (width <= 0) return null;
  return (
    <>
      <rect x={0} width={width} y={y} height={laneHeight} className={styles.unknown} />
      {width > 330 && (
        <text x={width - 18} y={y + laneHeight / 2 + 8} textAnchor="end" className={styles.note}>
          Too much to draw: zoom in
        </text>
      )}
    </>
  );
}

function labelOf(ms: number, step: number, offset: number): string {
  if (step >= day || (ms + offset) % day === 0) return formatDate(ms);
  return step < 60_000 ? formatTime(ms) : formatMinute(ms);
}
