import { Anchor, Button, Grid, Group, Radio, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { urlOf } from '../../lib/api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { SidePanel } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-drawer.tsx';
import { CurlCommand } from './curl-command.tsx';
import { EndpointTokens } from './endpoint-tokens.tsx';
import { NewToken, type TokenShown } from './new-token.tsx';
import type { SignalEndpoint } from './signal-queries.ts';
import { type EndpointValuesForm, useEndpointForm } from './use-endpoint-form.ts';

interface Props {
  /** The endpoint to edit; a new one is created without. */
  readonly endpoint?: SignalEndpoint | undefined;
  /** Names in use. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onViewSignals: (endpoint: SignalEndpoint) => void;
}

/** Creates or edits a signal endpoint. */
export function EndpointForm({ endpoint, taken, onClose, onViewSignals }: Props) {
  const [shown, setShown] = useState<TokenShown>();
  const { form, saving } = useEndpointForm({ endpoint, taken, onClose, onMade: setShown });
  const { enabled, name, description } = form.values;
  const url = endpoint?.url ?? urlOf('POST /api/signal-endpoint/:name', { params: { name } });
  const isNew = endpoint === undefined;
  // The token dialog replaces the form, which keeps its values.
  if (shown !== undefined) return <NewToken shown={shown} onClose={() => (isNew ? onClose() : setShown(undefined))} />;
  return (
    <SidePanel
      onClose={onClose}
      size={960}
      title={isNew ? 'New signal endpoint' : 'Edit signal endpoint'}
      closeOnClickOutside={false}
    >
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <form onSubmit={saving.submit} noValidate>
            <Stack>
              {!isNew && (
                <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onViewSignals(endpoint)}>
                  View signals
                </Anchor>
              )}
              <EndpointFields form={form} url={url} />
              {isNew && <TokenChoice form={form} />}
              <FormError>{saving.formError}</FormError>
              <Group>
                <Button type="submit" loading={saving.pending}>
                  {isNew ? 'Add signal endpoint' : 'Save signal endpoint'}
                </Button>
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
              </Group>
            </Stack>
          </form>
          {!isNew && <EndpointTokens endpoint={endpoint} onMade={setShown} />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <CurlCommand
            method={isNew ? 'POST' : 'PUT'}
            url={
              isNew
                ? urlOf('POST /api/admin/signal-endpoints')
                : urlOf('PUT /api/admin/signal-endpoints/:id', { params: { id: endpoint.id } })
            }
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
        description="Lower-case letters, digits, - and _. Used as the last part of the URL."
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Signal endpoint description"
        description="Which systems send signals, and when."
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
      <TextInput
        label="Signal endpoint URL"
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
          <Radio value="later" label="Create a token later" />
          <Radio value="now" label="Create a token now" />
        </Stack>
      </Radio.Group>
      {form.values.token === 'now' && (
        <TextInput
          label="Token name"
          description="The sender that uses this token."
          required
          autoComplete="off"
          {...form.getInputProps('tokenName')}
        />
      )}
    </Stack>
  );
}
