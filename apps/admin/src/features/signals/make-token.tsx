import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type SignalEndpoint, type SignalSource, sourcesQuery } from '../../entities/signals/signal-queries.ts';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Muted } from '../../ui/text.tsx';
import type { TokenShown } from './new-token.tsx';
import { SenderField, senderOfToken } from './sender-field.tsx';
import { limitsOfValues, limitValuesOf, TokenLimits } from './token-limits.tsx';

interface Props {
  readonly endpoint: SignalEndpoint;
  readonly onMade: (token: TokenShown) => void;
  readonly onClose: () => void;
}

type Authentication = SignalSource['authentication'][number];

const labels: Readonly<Record<Authentication, string>> = {
  bearer: 'Bearer token',
  basic: 'Basic: the token as password',
  header: 'A header of its own',
  path: 'In the URL (weaker: logs may store it)',
  signature: 'Signature of the body',
};

/** Creates a token of an endpoint. Offers the ways of authentication that the source of the endpoint supports. */
export function MakeToken(props: Props) {
  const { data: sources } = useQuery(sourcesQuery);
  const source = sources?.find(({ name }) => name === props.endpoint.source);
  return source === undefined ? null : <TokenDialog {...props} source={source} />;
}

function TokenDialog({ endpoint, source, onMade, onClose }: Props & { readonly source: SignalSource }) {
  const form = useForm({
    initialValues: {
      name: '',
      /** The id of the token whose sender the token belongs to; empty for a sender of its own. */
      sameSenderAs: '',
      authentication: source.authentication[0] ?? ('bearer' as const),
      header: source.header ?? '',
      secret: '',
      ...limitValuesOf(),
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      secret: (secret, { authentication }) =>
        authentication === 'signature' && source.secretLabel !== null && secret.trim() === '' ? 'Required.' : null,
      header: (header, { authentication }) =>
        authentication === 'header' && header.trim() === '' ? 'Enter the name of a header.' : null,
    },
  });
  const { authentication } = form.values;
  const saving = useSaving(form, {
    save: ({ name, sameSenderAs, header, secret, authentication: _, ...limits }) =>
      api('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
        params: { signalEndpointId: endpoint.id },
        body: {
          name,
          ...senderOfToken(endpoint, sameSenderAs),
          authentication,
          ...limitsOfValues(limits),
          ...(authentication === 'header' ? { header } : {}),
          ...(authentication === 'signature' && secret !== '' ? { secret } : {}),
        },
      }),
    changes: ['GET /api/admin/signal-endpoints'],
    onSaved: ({ token }) => onMade({ endpoint, source, authentication, header: form.values.header, token }),
  });
  return (
    <FormDialog title="New token" save="Create token" saving={saving} onClose={onClose}>
      <TextInput
        label="Token name"
        description="The sender that uses this token."
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <SenderField endpoint={endpoint} input={form.getInputProps('sameSenderAs')} />
      <Select
        label="Authentication"
        description={`How ${source.name === 'generic' ? 'the sender' : source.displayName} proves that it may send.`}
        allowDeselect={false}
        data={source.authentication.map((value) => ({ value, label: labels[value] }))}
        {...form.getInputProps('authentication')}
      />
      {authentication === 'header' && (
        <TextInput
          label="Header"
          description="The header in which the sender sends the token."
          required
          autoComplete="off"
          {...form.getInputProps('header')}
        />
      )}
      {authentication === 'signature' && (
        <SigningSecret label={source.secretLabel} input={form.getInputProps('secret')} />
      )}
      {authentication === 'path' && <PathWarning />}
      <TokenLimits form={form} endpoint={endpoint} />
    </FormDialog>
  );
}

function PathWarning() {
  return <Muted>Choose it only for a sender that can set nothing but the URL.</Muted>;
}

/** Asks for the secret with which the sender signs. `label` names one that only the sender has. */
function SigningSecret({ label, input }: { readonly label: string | null; readonly input: object }) {
  if (label !== null) return <TextInput label={label} required autoComplete="off" {...input} />;
  return (
    <PasswordField
      label="Secret of the sender"
      description="Enter it when the sender shows one. Left empty, Yardarm creates it."
      autoComplete="off"
      {...input}
    />
  );
}
