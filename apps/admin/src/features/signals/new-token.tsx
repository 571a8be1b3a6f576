import { Anchor, Badge, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SignalEndpoint, SignalSource } from '../../entities/signals/signal-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { TextLink } from '../../ui/link.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Muted, Strong } from '../../ui/text.tsx';
import { CurlCommand } from './curl-command.tsx';

/** A new token, with its endpoint and the source of the endpoint. */
export interface TokenShown {
  readonly endpoint: SignalEndpoint;
  readonly source: SignalSource;
  readonly authentication: SignalSource['authentication'][number];
  readonly header: string;
  readonly token: string;
}

/** Shows a new token once, with the values to enter in the sender, and waits for the first signal. */
export function NewToken({ shown, onClose }: { readonly shown: TokenShown; readonly onClose: () => void }) {
  const { endpoint, source, token } = shown;
  const url = shown.authentication === 'path' ? `${endpoint.url}/${token}` : endpoint.url;
  // Functions, because "$" in a text that replaces has a meaning.
  const fill = (text: string) => text.replaceAll('{url}', () => url).replaceAll('{secret}', () => token);
  const isUsual = shown.authentication === source.authentication[0];
  const { where, values, code } = isUsual
    ? source.setup
    : { where: '', values: [...fieldsOf(shown), ...withoutSecret(source.setup.values)], code: null };
  return (
    <SecretOnce
      title="Signal endpoint token created"
      secret={{
        kind: source.secretLabel === null || shown.authentication !== 'signature' ? 'token' : 'topic',
        value: token,
      }}
      {...(source.secretLabel !== null && shown.authentication === 'signature'
        ? { warning: 'The token takes messages of these topics.' }
        : {})}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Strong>{source.name === 'generic' ? 'Set up the sender' : `Set up ${source.displayName}`}</Strong>
        {where !== '' && <Text size="sm">{where}</Text>}
        {values.map(({ label, value }) => (
          <Field key={label} label={label} value={fill(value)} />
        ))}
        {code !== null && <Field label="Configuration" value={fill(code)} />}
        {source.name === 'generic' && shown.authentication === 'bearer' && (
          <CurlCommand
            title="Send a signal with curl"
            method="POST"
            url={url}
            token={`Bearer ${token}`}
            body={{ type: 'example', data: { status: 'firing' } }}
          />
        )}
        {source.name !== 'generic' && (
          <Anchor href={`docs/senders/${source.name}.html`} target="_blank" size="sm" underline="always">
            What Yardarm reads of {source.displayName}
          </Anchor>
        )}
        <FirstSignal endpointId={endpoint.id} />
      </Stack>
    </SecretOnce>
  );
}

function fieldsOf({ authentication, header }: TokenShown): { label: string; value: string }[] {
  const url = { label: 'URL', value: '{url}' };
  if (authentication === 'basic') return [url, { label: 'Password (any user name)', value: '{secret}' }];
  if (authentication === 'header') return [url, { label: `Header ${header}`, value: '{secret}' }];
  if (authentication === 'signature') return [url, { label: 'Secret', value: '{secret}' }];
  if (authentication === 'path') return [url];
  return [url, { label: 'Authorization header', value: 'Bearer {secret}' }];
}

/** Returns the fields of a setup that are the same for every authentication, such as the template of a body. */
function withoutSecret(values: SignalSource['setup']['values']): SignalSource['setup']['values'] {
  return values.filter(({ value }) => !/\{(url|secret)\}/.test(value));
}

function Field({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block flex={1} tabIndex={0} style={{ overflow: 'auto' }}>
          {value}
        </Code>
        <CopyButton value={value} label={`Copy: ${label}`} />
      </Group>
    </div>
  );
}

/** Waits for the first signal of an endpoint while the dialog is open. */
function FirstSignal({ endpointId }: { readonly endpointId: number }) {
  const route = 'GET /api/admin/signal-endpoints/:signalEndpointId/signals';
  const newest = useQuery({
    queryKey: [route, endpointId, 'newest'],
    queryFn: async () => {
      const answer = await api(route, { params: { signalEndpointId: endpointId }, query: { limit: '5' } });
      // Skips signals by which Yardarm itself reports a silence: they do not come from the sender.
      return answer.signalEndpointSignals.find(({ silence }) => !silence)?.id ?? 0;
    },
    staleTime: 0,
    gcTime: 0,
  });
  useEachNewer('signals', newest.refetch);
  const [before, setBefore] = useState<number>();
  useEffect(() => setBefore((known) => known ?? newest.data), [newest.data]);
  const arrived = before !== undefined && newest.data !== undefined && newest.data > before;
  return (
    <Group gap="xs" aria-live="polite">
      {arrived ? (
        <>
          <Badge variant="filled" color="green">
            Signal {newest.data} arrived
          </Badge>
          <TextLink
            to="/integrations/signals"
            search={{ view: endpointId, signal: newest.data }}
            size="sm"
            underline="always"
          >
            View it, and make an action from it
          </TextLink>
        </>
      ) : (
        <>
          <Loader size="xs" />
          <Muted>Waiting for the first signal…</Muted>
        </>
      )}
    </Group>
  );
}
