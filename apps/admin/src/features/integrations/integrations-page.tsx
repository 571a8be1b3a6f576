import { Card, Group, SimpleGrid, Stack, Text, ThemeIcon, UnstyledButton } from '@mantine/core';
import { IconBroadcast, IconKey, IconPlugConnected, IconRss } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { endpointsQuery } from '../../entities/signals/signal-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Muted, SectionTitle } from '../../ui/text.tsx';
import { CallSigningKeys } from './call-signing-keys.tsx';
import { Deliveries } from './deliveries.tsx';
import { IntegrationForm } from './integration-form.tsx';
import { type Integration, integrationsQuery, type Provider } from './integration-queries.ts';
import { IntegrationTable } from './integration-table.tsx';

/** The panel or dialog over the page. */
type Open =
  | { readonly kind: 'new'; readonly provider: Provider }
  | { readonly kind: 'call keys' }
  | { readonly kind: 'edit' | 'deliveries' | 'remove'; readonly integration: Integration };

/** The connections to other systems: signals and integrations. */
export function IntegrationsPage() {
  const integrations = useQuery(integrationsQuery);
  const [open, setOpen] = useState<Open>();
  const [signingKey, setSigningKey] = useState<string>();
  const close = () => setOpen(undefined);
  const providers = integrations.data?.providers ?? [];
  const edited = open?.kind === 'edit' ? providers.find(({ name }) => name === open.integration.provider) : undefined;
  return (
    <Page
      title={titleOf('/integrations')}
      guide="guides/integrations"
      description="Receive signals from other systems, and send them events."
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <SignalsCard />
        <ConsumersCard />
        <ActionCallsCard onOpen={() => setOpen({ kind: 'call keys' })} />
        {providers.map((provider) => (
          <ProviderCard key={provider.name} provider={provider} onChoose={() => setOpen({ kind: 'new', provider })} />
        ))}
      </SimpleGrid>
      <Loaded query={integrations} rows={2}>
        {({ addons }) =>
          addons.length > 0 && (
            <Stack gap="xs">
              <SectionTitle>Configured integrations</SectionTitle>
              <IntegrationTable
                integrations={addons}
                providers={providers}
                onOpen={(kind, integration) => setOpen({ kind, integration })}
              />
            </Stack>
          )
        }
      </Loaded>
      {open?.kind === 'new' && <IntegrationForm provider={open.provider} onClose={close} onCreated={setSigningKey} />}
      <SecretOnce
        title="Signing key"
        secret={signingKey === undefined ? undefined : { kind: 'signing key', value: signingKey }}
        onClose={() => setSigningKey(undefined)}
      >
        The receiver verifies the header webhook-signature with it, as Standard Webhooks describes.
      </SecretOnce>
      {open?.kind === 'edit' && edited !== undefined && (
        <IntegrationForm provider={edited} integration={open.integration} onClose={close} />
      )}
      {open?.kind === 'call keys' && <CallSigningKeys onClose={close} />}
      {open?.kind === 'deliveries' && <Deliveries integration={open.integration} onClose={close} />}
      {open?.kind === 'remove' && (
        <Confirm
          title="Delete integration?"
          action="Delete integration"
          run={() => api('DELETE /api/admin/addons/:id', { params: { id: open.integration.id } })}
          changes={['GET /api/admin/addons']}
          onClose={close}
        >
          Events will no longer be sent to it, and its deliveries are deleted.
        </Confirm>
      )}
    </Page>
  );
}

function SignalsCard() {
  const may = useMay();
  const { data: endpoints = [] } = useQuery({ ...endpointsQuery, enabled: may('ADMIN') });
  const count = endpoints.length;
  return (
    <Card component={Link} to="/integrations/signals" withBorder padding="lg">
      <CardBody icon={<IconBroadcast size={20} aria-hidden />} title="Signals">
        Receive alerts, deployments and other signals.
      </CardBody>
      {count > 0 && (
        <Group justify="space-between" gap="xs" mt="auto" pt="sm">
          <Text size="sm">{count === 1 ? '1 signal endpoint' : `${count} signal endpoints`}</Text>
          <Text size="sm" c="var(--mantine-color-anchor)">
            View signal endpoints
          </Text>
        </Group>
      )}
    </Card>
  );
}

function ConsumersCard() {
  const may = useMay();
  if (!may('UPDATE_EVENT_CONSUMERS')) return null;
  return (
    <Card component={Link} to="/integrations/consumers" withBorder padding="lg">
      <CardBody icon={<IconRss size={20} aria-hidden />} title="Event consumers">
        Let programs read the event log, each at its own position.
      </CardBody>
    </Card>
  );
}

function ActionCallsCard({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <Card withBorder p={0}>
      <UnstyledButton p="lg" h="100%" onClick={onOpen} style={{ display: 'flex' }}>
        <CardBody icon={<IconKey size={20} aria-hidden />} title="Action calls">
          Copy the public key that verifies the calls of actions.
        </CardBody>
      </UnstyledButton>
    </Card>
  );
}

interface BodyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

function CardBody({ icon, title, children }: BodyProps) {
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <ThemeIcon variant="light" size="lg">
          {icon}
        </ThemeIcon>
        <SectionTitle>{title}</SectionTitle>
      </Group>
      <Muted>{children}</Muted>
    </Stack>
  );
}

function ProviderCard({ provider, onChoose }: { readonly provider: Provider; readonly onChoose: () => void }) {
  const may = useMay();
  const allowed = may('CREATE_ADDON');
  return (
    <Card withBorder padding="lg" p={0}>
      <UnstyledButton p="lg" h="100%" onClick={onChoose} disabled={!allowed} style={{ display: 'flex' }}>
        <CardBody icon={<IconPlugConnected size={20} aria-hidden />} title={provider.displayName}>
          {provider.description}
          {!allowed && ' You need the permission CREATE_ADDON to set it up.'}
        </CardBody>
      </UnstyledButton>
    </Card>
  );
}
