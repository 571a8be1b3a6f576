import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { firstOf, groupHolds, type HeldGroup } from '../../entities/holds/held-group.ts';
import type { Held } from '../../entities/holds/now-queries.ts';
import { useLostSince } from '../../lib/connection.ts';
import { useMay } from '../../lib/me.ts';
import { TextLink } from '../../ui/link.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Muted } from '../../ui/text.tsx';
import { HeldFlag } from './held-flag.tsx';
import { ReleaseHolds } from './release-holds.tsx';
import { useHolderAlone, useReleasedWith } from './use-release-rules.ts';

/** The maximum number of flags that are named above the list. */
const maxNamed = 12;

/** Lists the held flags, with an entry for each flag and environment, and buttons that release their holds. */
export function HeldFlags({ holds, total }: { readonly holds: readonly Held[]; readonly total: number }) {
  const may = useMay();
  const releasedWith = useReleasedWith();
  const isLost = useLostSince() !== undefined;
  const [releasing, setReleasing] = useState<readonly Held[]>();
  const isHolderAlone = useHolderAlone(holds);
  const mine = new Set(holds.filter((hold) => may(releasedWith(hold), hold) && !isHolderAlone(hold)));
  const groups = groupHolds(holds);
  return (
    <SectionCard
      title="Held flags"
      description={total === 0 ? nothingText(isLost) : <HeldText groups={groups} />}
      actions={
        <Group gap="md">
          <TextLink to="/incidents" size="sm" underline="always">
            What automation did
          </TextLink>
          {groups.length > 1 && mine.size > 1 && (
            <Button variant="default" onClick={() => setReleasing([...mine])}>
              Release all {mine.size} holds
            </Button>
          )}
        </Group>
      }
    >
      {groups.map((group) => (
        <HeldFlag
          key={group.key}
          group={group}
          releasable={group.holds.filter((hold) => mine.has(hold))}
          onRelease={setReleasing}
        />
      ))}
      {total > holds.length && (
        <Muted>
          These are the newest {holds.length} of {total} holds.
        </Muted>
      )}
      {releasing !== undefined && (
        <ReleaseHolds holds={releasing} listed={holds} onClose={() => setReleasing(undefined)} />
      )}
    </SectionCard>
  );
}

function nothingText(isLost: boolean): string {
  return isLost
    ? 'Nothing was held when the connection to the server was lost.'
    : 'Nothing is held: every flag is in its configured state.';
}

/** Names the held flags, so that a person need not scroll to know them, and says what a hold does. */
function HeldText({ groups }: { readonly groups: readonly HeldGroup[] }) {
  const names = [...new Set(groups.map(({ holds: [{ featureName }] }) => featureName))];
  return (
    <>
      {names.length > 1 && (
        <Text size="sm" c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
          {firstOf(names, maxNamed)}
        </Text>
      )}
      A hold overrides the configured state of a flag until it ends or is released.
    </>
  );
}
