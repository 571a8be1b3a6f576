import { Anchor } from '@mantine/core';
import { Hint } from '../../ui/text.tsx';

/** Tells apart what stops a flag by itself, in each form that adds one of these, and links the guide about it. */
export function WaysToStop() {
  return (
    <Hint>
      Four things stop a flag by themselves: an action holds it while an alert fires; a safeguard of the flag switches
      it off; a safeguard of its release plan halts the plan or holds the flag; a gate keeps the next milestone waiting.{' '}
      <Anchor href="docs/guides/ways-to-stop.html" target="_blank" size="xs" underline="always">
        Which one fits
      </Anchor>
    </Hint>
  );
}
