import { VisuallyHidden } from '@mantine/core';
import { compare, compareWithNothing, type Difference } from './compare.ts';
import styles from './diff.module.css';
import { Muted } from './text.tsx';

interface Props {
  /** Null for a value that was added. */
  readonly before: unknown;
  /** Null for a value that was removed. */
  readonly after: unknown;
}

/** Shows the differences between two JSON values, field by field: old values with a minus, new ones with a plus. */
export function Diff({ before, after }: Props) {
  const parts = differences(before, after);
  if (parts.length > 0) return <Parts parts={parts} />;
  return <Muted>No differences.</Muted>;
}

function differences(before: unknown, after: unknown): readonly Difference[] {
  if (before === null && after === null) return [];
  if (before === null) return compareWithNothing(after, 'added');
  if (after === null) return compareWithNothing(before, 'removed');
  return compare(before, after);
}

function Parts({ parts }: { readonly parts: readonly Difference[] }) {
  return (
    <ul className={styles.list}>
      {parts.map((part) => (
        <li key={part.name}>
          <Part part={part} />
        </li>
      ))}
    </ul>
  );
}

function Part({ part }: { readonly part: Difference }) {
  if (part.parts !== undefined)
    return (
      <div className={styles.within}>
        <div className={styles.name}>{part.name}</div>
        <Parts parts={part.parts} />
      </div>
    );
  // A list element that is matched by its value is shown once: its name is the value.
  const isNamedByItself = part.name === JSON.stringify(part.kind === 'removed' ? part.before : part.after);
  return (
    <div className={isNamedByItself ? undefined : styles.part}>
      {!isNamedByItself && <div className={styles.name}>{part.name === '' ? 'value' : part.name}</div>}
      <div>
        {part.kind !== 'added' && <Value sign="−" words="was" value={part.before} style={styles.removed} />}
        {part.kind !== 'removed' && <Value sign="+" words="is" value={part.after} style={styles.added} />}
      </div>
    </div>
  );
}

interface ValueProps {
  readonly sign: '+' | '−';
  /** The text that screen readers read in place of the sign. */
  readonly words: string;
  readonly value: unknown;
  readonly style: string | undefined;
}

function Value({ sign, words, value, style }: ValueProps) {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : JSON.stringify(value);
  return (
    <code className={`${styles.value} ${style}`}>
      <span className={styles.sign} aria-hidden>
        {sign}
      </span>
      <VisuallyHidden>{words} </VisuallyHidden>
      {text ?? 'nothing'}
    </code>
  );
}
