import { Alert, Anchor, Button, Grid, Group, Radio, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, urlOf } from '../../lib/api.ts';
import { byField } from '../../lib/problems.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { SidePanel } from '../../ui/over-page.tsx';
import { CurlCommand } from './curl-command.tsx';
import { EndpointTokens } from './endpoint-tokens.tsx';
import { NewToken, type TokenShown } from './new-token.tsx';
import { endpointsQuery, type SignalEndpoint } from './signal-queries.ts';

interface Props {
  /** The one that is edited; a new one is made without. */
  readonly endpoint: SignalEndpoint | undefined;
  /** Names that are in use. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onViewSignals: (endpoint: SignalEndpoint) => void;
}

interface EndpointValues {
  enabled: boolean;
  name: string;
  description: string;
  token: 'later' | 'now';
  tokenName: string;
}

type EndpointValuesForm = UseFormReturnType<EndpointValues>;

const fields = ['enabled', 'name', 'description'];

/** The values of the form, and what saves them; `onMade` is told of the token that was asked for with a new endpoint. */
function useEndpointForm(
  { endpoint, taken, onClose }: Pick<Props, 'endpoint' | 'taken' | 'onClose'>,
  onMade: (token: TokenShown) => void,
) {
  const queries = useQueryClient();
  const form = useForm<EndpointValues>({
    validateInputOnChange: true,
    initialValues: {
      enabled: endpoint?.enabled ?? true,
      name: endpoint?.name ?? '',
      description: endpoint?.description ?? '',
      token: 'later',
      tokenName: '',
    },
    validate: {
      name: (name) => nameProblem(name, taken, endpoint?.name),
      tokenName: (name, { token }) =>
        endpoint === undefined && token === 'now' && name.trim() === '' ? 'Give the token a name.' : null,
    },
  });
  const save = useMutation({
    mutationFn: async ({ enabled, name, description, token, tokenName }: EndpointValues) => {
      const body = { enabled, name, description };
      if (endpoint !== undefined)
        return { saved: await api('PUT /api/admin/signal-endpoints/:id', { params: { id: endpoint.id }, body }) };
      const saved = await api('POST /api/admin/signal-endpoints', { body });
      if (token === 'later') return { saved };
      const params = { signalEndpointId: saved.id };
      const made = await api('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
        params,
        body: { name: tokenName },
      });
      return { saved, token: made.token };
    },
    onSuccess: async ({ saved, token }) => {
      await queries.invalidateQueries(endpointsQuery);
      if (token === undefined) onClose();
      else onMade({ url: saved.url, token });
    },
    onError: (error) => form.setErrors(byField(error, fields).fields),
  });
  const refusal = save.error === null ? undefined : byField(save.error, fields).rest;
  return { form, save, refusal };
}

/** Makes or edits a signal endpoint. */
export function EndpointForm({ endpoint, taken, onClose, onViewSignals }: Props) {
  const [shown, setShown] = useState<TokenShown>();
  const { form, save, refusal } = useEndpointForm({ endpoint, taken, onClose }, setShown);
  const url = endpoint?.url ?? urlOf('POST /api/signal-endpoint/:name', { params: { name: form.values.name } });
  const { enabled, name, description } = form.values;
  // What was typed stays here while the token is shown in the place of the form.
  if (shown !== undefined)
    return <NewToken shown={shown} onClose={() => (endpoint === undefined ? onClose() : setShown(undefined))} />;
  return (
    <SidePanel
      onClose={onClose}
      size={960}
      title={endpoint === undefined ? 'New signal endpoint' : 'Edit signal endpoint'}
    >
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
            <Stack>
              {endpoint !== undefined && (
                <Anchor component="button" type="button" size="sm" onClick={() => onViewSignals(endpoint)}>
                  View signals
                </Anchor>
              )}
              <EndpointFields form={form} url={url} />
              {endpoint === undefined && <TokenChoice form={form} />}
              {refusal !== undefined && (
                <Alert color="red" role="alert">
                  {refusal}
                </Alert>
              )}
              <Group>
                <Button type="submit" loading={save.isPending}>
                  {endpoint === undefined ? 'Add signal endpoint' : 'Save signal endpoint'}
                </Button>
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
              </Group>
            </Stack>
          </form>
          {endpoint !== undefined && <EndpointTokens endpoint={endpoint} onMade={setShown} />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <CurlCommand
            method={endpoint === undefined ? 'POST' : 'PUT'}
            url={urlOf(
              endpoint === undefined ? 'POST /api/admin/signal-endpoints' : 'PUT /api/admin/signal-endpoints/:id',
              {
                params: { id: endpoint?.id ?? '' },
              },
            )}
            body={{ enabled, name, description }}
          />
        </Grid.Col>
      </Grid>
    </SidePanel>
  );
}

function EndpointFields({ form, url }: { readonly form: EndpointValuesForm; readonly url: string }) {
  return (
    <>
      <Switch label="Signal endpoint status" {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <TextInput
        label="Signal endpoint name"
        description="Lower-case letters, digits, - and _. It is the last part of the URL."
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Signal endpoint description"
        description="What sends to it, and when."
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
      <TextInput
        label="Signal endpoint URL:"
        readOnly
        value={url}
        variant="filled"
        rightSection={<CopyButton value={url} label="Copy URL" />}
      />
    </>
  );
}

function TokenChoice({ form }: { readonly form: EndpointValuesForm }) {
  return (
    <Stack gap="xs">
      <Radio.Group label="Token" {...form.getInputProps('token')}>
        <Stack gap="xs" mt={4}>
          <Radio value="later" label="I want to generate a token later" />
          <Radio value="now" label="Generate a token now" />
        </Stack>
      </Radio.Group>
      {form.values.token === 'now' && (
        <TextInput
          label="Token name"
          description="Tells apart the systems that send to this endpoint."
          required
          autoComplete="off"
          {...form.getInputProps('tokenName')}
        />
      )}
    </Stack>
  );
}

/** What is wrong with a name; the rule is that of the contract. */
function nameProblem(name: string, taken: readonly string[], own: string | undefined): string | null {
  if (name === '') return 'Give the endpoint a name.';
  if (!/^[a-z0-9_-]{1,100}$/.test(name)) return 'Only lower-case letters, digits, - and _, at most 100 of them.';
  return name !== own && taken.includes(name) ? 'There is an endpoint of this name.' : null;
}
