import { Badge, Group, Stack, Text } from '@mantine/core';
import { attentionSubject } from '@yardarm/contract/attention';
import { Acknowledge } from '../../entities/acknowledgements/acknowledge.tsx';
import type { Now } from '../../entities/holds/now-queries.ts';
import { RunLink } from '../../entities/runs/run-link.tsx';
import { useMay } from '../../lib/me.ts';
import { formatStart } from '../../ui/dates.ts';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { SourceLink } from '../../ui/source-link.tsx';
import { Hint, Muted } from '../../ui/text.tsx';
import { MakeAction } from '../actions/index.ts';
import { TruncatedAlerts } from '../signals/index.ts';

type Alert = NonNullable<Now['alertsWithoutEffect']>[number];

interface AlertsProps {
  readonly alerts: readonly Alert[] | null;
  /** The number of all such alerts, including those that are not listed. */
  readonly total: number;
}

/**
 * Lists the alerts that fire now and hold no flag, with the reason. Renders nothing for users who may not read signals.
 */
export function AlertsWithoutEffect({ alerts, total }: AlertsProps) {
  if (alerts === null || alerts.length === 0) return null;
  return (
    <SectionCard
      title="Alerts without effect"
      description="These alerts fire, and automation holds no flag for them. The newest of the last 24 hours first; those that a person overrode or released come last."
    >
      <Stack gap="sm">
        {alerts.map((alert) => (
          <AlertFacts key={`${alert.signalId} ${alert.element}`} alert={alert} />
        ))}
        {total > alerts.length && (
          <Muted>
            These are {alerts.length} of {total} alerts.
          </Muted>
        )}
      </Stack>
    </SectionCard>
  );
}

function AlertFacts({ alert }: { readonly alert: Alert }) {
  const { endpoint, title, link, signalId, since, lastAt, reason, project, actionSetId, runId, truncatedAlerts } =
    alert;
  const may = useMay();
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge color="red">firing</Badge>
        <TextLink
          to="/history"
          search={{ received: signalId }}
          size="sm"
          underline="always"
          style={{ overflowWrap: 'anywhere' }}
        >
          {title ?? `Alert of ${endpoint}`}
        </TextLink>
        <Hint component="div">
          of {endpoint}, since <RelativeTime at={since} format={formatStart} />
          {lastAt !== since && (
            <>
              , last <RelativeTime at={lastAt} />
            </>
          )}
        </Hint>
      </Group>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
      <TruncatedAlerts count={truncatedAlerts} />
      <Acknowledge
        subjects={[attentionSubject.alert(alert.signalEndpointId, since, alert.fingerprint)]}
        of={title ?? `alert of ${endpoint}`}
      />
      <Group gap="md">
        <SourceLink url={link} />
        {runId !== null && <RunLink id={runId}>Run {runId}</RunLink>}
        {runId === null && project !== null && actionSetId !== null && may('ADMIN') && (
          <TextLink
            to="/projects/$projectId/settings/actions"
            params={{ projectId: project }}
            search={{ edit: actionSetId }}
            size="sm"
            underline="always"
          >
            Open the action
          </TextLink>
        )}
        {may('ADMIN') && <MakeAction signalId={signalId} size="compact-sm" />}
      </Group>
    </Stack>
  );
}
