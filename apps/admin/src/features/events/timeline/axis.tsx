import { type Stretch, ticksOf } from './scale.ts';
import styles from './timeline.module.css';

interface Props {
  readonly stretch: Stretch;
  readonly width: number;
  /** Where the line of the axis is. */
  readonly height: number;
  readonly complete: number | undefined;
}

const day = 86_400_000;
const asDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const asTime = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const asSecond = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The line of time, what is written at it, and where now is. */
export function Axis({ stretch, width, height, complete }: Props) {
  const offset = -new Date(stretch.end).getTimezoneOffset() * 60_000;
  const { step, at } = ticksOf(stretch, Math.max(2, Math.floor(width / 76)), offset);
  const x = (ms: number) => ((ms - stretch.start) / (stretch.end - stretch.start)) * width;
  const unknown = complete === undefined ? 0 : Math.min(width, Math.max(0, x(complete)));
  return (
    <g aria-hidden>
      {unknown > 0 && (
        <>
          <rect x={0} width={unknown} y={0} height={height} className={styles.unknown} />
          <text x={unknown - 6} y={height - 8} textAnchor="end" className={styles.note}>
            {unknown > 150 ? 'Too much to draw: zoom in' : ''}
          </text>
        </>
      )}
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

function labelOf(ms: number, step: number, offset: number): string {
  if (step >= day || (ms + offset) % day === 0) return asDay.format(ms);
  return (step < 60_000 ? asSecond : asTime).format(ms);
}
