import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { type Override, overrideRoutes } from '../../entities/holds/now-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { formatEnd } from '../../ui/dates.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { useChange } from '../../ui/use-change.ts';
import { EndOverrides, endRoute } from './end-overrides.tsx';

/** The flags that automation must not change, each with a button that ends the override. */
export function Overrides({ overrides }: { readonly overrides: readonly Override[] }) {
  const may = useMay();
  const [ending, setEnding] = useState<readonly Override[]>();
  if (overrides.length === 0) return null;
  const mine = overrides.filter((override) => may('OVERRIDE_AUTOMATION', override));
  return (
    <SectionCard
      title="Automation overridden"
      description="Actions change nothing on these flags. Their runs are recorded as skipped."
      actions={
        mine.length > 1 && (
          <Button variant="default" onClick={() => setEnding(mine)}>
            End all {mine.length} overrides
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {overrides.map((override) => (
          <Group key={override.id} justify="space-between" gap="sm">
            <Stack gap={2}>
              <Group gap="xs">
                <FlagLink projectId={override.project} featureName={override.featureName} />
                <Text size="sm">in {override.environment}</Text>
              </Group>
              <OverrideFacts override={override} />
            </Stack>
            <EndOverride override={override} />
          </Group>
        ))}
      </Stack>
      {ending !== undefined && <EndOverrides overrides={ending} onClose={() => setEnding(undefined)} />}
    </SectionCard>
  );
}

/** Says on the page of a flag that automation is overridden in an environment. */
export function OverrideNotice({ override }: { readonly override: Override }) {
  return (
    <Alert color="sea" icon={<IconHandStop size={18} aria-hidden />} title="Automation is overridden">
      <Stack gap="xs">
        <OverrideFacts override={override} />
        <Group>
          <EndOverride override={override} />
        </Group>
      </Stack>
    </Alert>
  );
}

function OverrideFacts({ override: { placedBy, placedAt, endsAt, reason } }: { readonly override: Override }) {
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      By {placedBy.name}, <RelativeTime at={placedAt} />
      {endsAt === null ? (
        ', until it is ended'
      ) : (
        <>
          , until <RelativeTime at={endsAt} ahead format={formatEnd} />
        </>
      )}
      . {reason}
    </Text>
  );
}

function EndOverride({ override: { project, featureName, environment } }: { readonly override: Override }) {
  const end = useChange({
    run: () => api(endRoute, { params: { projectId: project, featureName, environment } }),
    changes: overrideRoutes,
  });
  return (
    <Permitted needs="OVERRIDE_AUTOMATION" place={{ project, environment }}>
      <Button
        size="xs"
        variant="default"
        loading={end.isPending}
        onClick={() => end.mutate()}
        aria-label={`End override of ${featureName}`}
      >
        End override
      </Button>
    </Permitted>
  );
}
