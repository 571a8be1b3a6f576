import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { HoldEnd } from '../../entities/holds/hold-end.tsx';
import { afterReleaseOf, effectOf } from '../../entities/holds/hold-words.ts';
import type { Held } from '../../entities/holds/now-queries.ts';
import { HoldingRun } from '../../entities/runs/holding-run.tsx';
import { formatStart } from '../../ui/dates.ts';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Strong } from '../../ui/text.tsx';

interface Props {
  readonly hold: Held;
  /**
   * Releases only this hold. Absent when it is the only hold of the flag, because the button of the flag releases it,
   * and when the user may not release it.
   */
  readonly onRelease: (() => void) | undefined;
}

/** The effect, reason, times and holder of a hold, and the state of its flag once it is released. */
export function HoldFacts({ hold, onRelease }: Props) {
  const { environment, inForce, placedAt, heldBy, reason } = hold;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant={inForce ? 'filled' : 'light'} color={inForce ? 'orange.4' : 'gray'} autoContrast>
          {inForce ? `Held ${effectOf(hold)}` : `Not in force: held ${effectOf(hold)}`}
        </Badge>
        <Text size="sm">in {environment}</Text>
        {onRelease !== undefined && (
          <Button size="compact-xs" variant="default" onClick={onRelease}>
            Release this hold
          </Button>
        )}
      </Group>
      {reason !== null && <Strong style={{ overflowWrap: 'anywhere' }}>{reason}</Strong>}
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        Since <RelativeTime at={placedAt} format={formatStart} />
        <HoldEnd hold={hold} />, by {heldBy.name}
        {heldBy.runId !== null && (
          <>
            {' '}
            (<HoldingRun id={heldBy.runId} project={hold.project} actionSetName={hold.actionSetName} />)
          </>
        )}
        .
      </Text>
      <Hint>
        When released: {afterReleaseOf(hold)}.{' '}
        <TextLink to="/history" search={{ feature: [hold.featureName] }} size="xs" underline="always">
          History
        </TextLink>
      </Hint>
    </Stack>
  );
}
