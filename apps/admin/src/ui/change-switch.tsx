import { Switch } from '@mantine/core';
import type { RouteKey } from '../lib/api.ts';
import { Permitted } from './permitted.tsx';
import { useChange } from './use-change.ts';

interface Props<Answer> {
  readonly label: string;
  readonly on: boolean;
  readonly needs: string | readonly string[];
  readonly set: (on: boolean) => Promise<Answer>;
  /** The routes whose cached answers are invalidated afterwards. */
  readonly changes: readonly RouteKey[];
  readonly onDone?: (answer: Answer) => void;
}

/** A switch in a table, which takes effect at once. It shows the new state while the change is sent. */
export function ChangeSwitch<Answer>({ label, on, needs, set, ...rest }: Props<Answer>) {
  const change = useChange({ run: set, ...rest });
  return (
    <Permitted needs={needs} stays>
      <Switch
        checked={change.isPending ? change.variables : on}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
        aria-label={label}
      />
    </Permitted>
  );
}
