import { Anchor, Button, Code, Group, Skeleton, Spoiler, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import {
  endpointsQuery,
  type SignalEndpoint,
  type SignalSource,
  sourcesQuery,
} from '../../entities/signals/signal-queries.ts';
import { useMay } from '../../lib/me.ts';
import { serverNow } from '../../lib/server-time.ts';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Payload } from '../../ui/payload.tsx';
import { NotPermitted } from '../../ui/permitted.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Muted } from '../../ui/text.tsx';
import { ChooseEndpoint } from './choose-endpoint.tsx';
import type { FirstAlertSearch } from './first-alert-search.ts';
import { MakeFirstAction } from './make-first-action.tsx';
import { filledSample } from './send-sample.ts';
import { SendingFailed, SentSignal } from './sent-signal.tsx';
import { useSampleSender } from './use-sample-sender.ts';
import { WatchFlag } from './watch-flag.tsx';

const route = getRouteApi('/first-alert');
const title = 'Let an alert switch a flag';

/**
 * Leads the user through a first alert, on one page: an alert that is sent to a signal endpoint holds a flag off, and
 * the end of the alert releases the flag.
 */
export function FirstAlertPage() {
  const isAdmin = useMay()('ADMIN');
  return (
    <Page
      title={title}
      description="An alert holds a flag off while it fires. Everything here is real, with a sample of the sender."
    >
      {isAdmin ? <Steps /> : <NotPermitted needs="ADMIN" />}
    </Page>
  );
}

function Steps() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (part: FirstAlertSearch) =>
      void navigate({ search: (before: FirstAlertSearch) => ({ ...before, ...part }), replace: true }),
    [navigate],
  );
  const endpoints = useQuery(endpointsQuery);
  const { data: sources } = useQuery(sourcesQuery);
  const endpoint = endpoints.data?.find(({ id }) => id === search.endpoint);
  const source = sources?.find(({ name }) => name === endpoint?.source);
  return (
    <Stack maw={860}>
      <SectionCard title="1. Signal endpoint">
        {endpoint === undefined ? (
          <Loaded query={endpoints} rows={2}>
            {(list) =>
              sources === undefined ? (
                <Skeleton height={120} />
              ) : (
                <ChooseEndpoint
                  endpoints={list}
                  sources={sources.filter(({ sample }) => sample !== null)}
                  onChosen={(id) => onSearch({ endpoint: id })}
                />
              )
            }
          </Loaded>
        ) : (
          <ChosenEndpoint
            endpoint={endpoint}
            source={source}
            onOther={() => onSearch({ endpoint: undefined, action: undefined })}
          />
        )}
      </SectionCard>
      {endpoint !== undefined && source !== undefined && source.sample !== null && (
        <AlertSteps key={endpoint.id} endpoint={endpoint} source={source} search={search} onSearch={onSearch} />
      )}
    </Stack>
  );
}

interface ChosenProps {
  readonly endpoint: SignalEndpoint;
  readonly source: SignalSource | undefined;
  readonly onOther: () => void;
}

function ChosenEndpoint({ endpoint, source, onOther }: ChosenProps) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm">
          {source?.displayName} sends to <Code style={{ overflowWrap: 'anywhere' }}>{endpoint.url}</Code>
        </Text>
        {source !== undefined && source.sample !== null && (
          <Anchor href={`docs/senders/${source.name}.html`} target="_blank" size="sm" underline="always">
            Set up {source.displayName}
          </Anchor>
        )}
        <TextLink to="/integrations/signals" search={{ edit: endpoint.id }} size="sm">
          Edit the endpoint
        </TextLink>
      </Group>
      {source?.sample === null && <Muted>There is no sample of this sender.</Muted>}
      <Group>
        <Button size="xs" variant="default" onClick={onOther}>
          Choose another endpoint
        </Button>
      </Group>
    </Stack>
  );
}

interface AlertProps {
  readonly endpoint: SignalEndpoint;
  readonly source: SignalSource;
  readonly search: FirstAlertSearch;
  readonly onSearch: (part: FirstAlertSearch) => void;
}

function AlertSteps({ endpoint, source, search, onSearch }: AlertProps) {
  const sender = useSampleSender(endpoint, source);
  const [signalId, setSignalId] = useState<number>();
  const sample = useMemo(() => {
    const now = new Date(serverNow()).toISOString();
    return source.sample && filledSample(source.sample.firing, { startedAt: now, now, id: crypto.randomUUID() });
  }, [source]);
  const { project, flag, environment, action } = search;
  const send = () => sender.mutate('firing', { onSuccess: ({ id }) => setSignalId(id) });
  return (
    <>
      <SectionCard
        title="2. Send a test signal"
        description={`A sample of ${source.displayName}, sent to the endpoint as ${source.displayName} does, with a token named “Test signals”.`}
      >
        <Spoiler maxHeight={150} showLabel="Show the whole sample" hideLabel="Show less">
          <Payload title="Sample" value={sample} />
        </Spoiler>
        <Group>
          <Button
            variant={signalId === undefined && action === undefined ? 'filled' : 'default'}
            onClick={send}
            loading={sender.isPending}
          >
            Send a test signal
          </Button>
        </Group>
        <SendingFailed sender={sender} />
        {sender.data !== undefined && <SentSignal sent={sender.data} />}
      </SectionCard>
      {(signalId !== undefined || action !== undefined) && (
        <SectionCard title="3. Make an action from this signal">
          {action !== undefined && project !== undefined ? (
            <Text size="sm">
              Made: while the alert fires, <b>{flag}</b> is held off in {environment}.{' '}
              <TextLink
                to="/projects/$projectId/settings/actions"
                params={{ projectId: project }}
                search={{ edit: action }}
                inherit
                underline="always"
              >
                Edit the action
              </TextLink>
            </Text>
          ) : (
            signalId !== undefined && <MakeFirstAction signalId={signalId} search={search} onSearch={onSearch} />
          )}
        </SectionCard>
      )}
      {action !== undefined && project !== undefined && flag !== undefined && environment !== undefined && (
        <SectionCard title="4. Watch the flag">
          <WatchFlag project={project} flag={flag} environment={environment} sender={sender} />
        </SectionCard>
      )}
    </>
  );
}
