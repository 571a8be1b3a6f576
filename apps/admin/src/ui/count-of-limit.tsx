import { counted } from './counted.ts';
import { Muted } from './text.tsx';

interface Props {
  /** Undefined until the rows are loaded. */
  readonly count: number | undefined;
  /** Undefined where there is no limit, and until the limits are loaded. */
  readonly limit: number | undefined;
  /** The singular: "segment". */
  readonly noun: string;
}

/** Shows how many items there are, and how many there may be: "1 segment, at most 300". */
export function CountOfLimit({ count, limit, noun }: Props) {
  if (count === undefined) return null;
  return (
    <Muted>
      {counted(count, noun)}
      {limit !== undefined && (count < limit ? `, at most ${limit}` : ': the limit is reached')}
    </Muted>
  );
}
