import { Anchor, Button, Grid, Group, Radio, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type SignalEndpoint, type SignalSource, sourcesQuery } from '../../entities/signals/signal-queries.ts';
import { urlOf } from '../../lib/api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { SidePanel } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { CurlCommand } from './curl-command.tsx';
import { EndpointLimits } from './endpoint-limits.tsx';
import { EndpointRules } from './endpoint-rules.tsx';
import { EndpointTokens } from './endpoint-tokens.tsx';
import { MakeToken } from './make-token.tsx';
import { NewToken, type TokenShown } from './new-token.tsx';
import { bodyOf, type EndpointValuesForm, useEndpointForm } from './use-endpoint-form.ts';

interface Props {
  /** The endpoint to edit; absent to create a new endpoint. */
  readonly endpoint?: SignalEndpoint | undefined;
  /** The names of existing endpoints. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onViewSignals: (endpoint: SignalEndpoint) => void;
}

/** Creates or edits a signal endpoint. */
export function EndpointForm({ endpoint, taken, onClose, onViewSignals }: Props) {
  const [shown, setShown] = useState<TokenShown>();
  const [created, setCreated] = useState<SignalEndpoint>();
  const { form, saving } = useEndpointForm({ endpoint, taken, onClose, onMade: setCreated });
  const { data: sources = [] } = useQuery(sourcesQuery);
  const source = sources.find((known) => known.name === form.values.source);
  const url = endpoint?.url ?? urlOf('POST /api/signal-endpoint/:name', { params: { name: form.values.name } });
  const isNew = endpoint === undefined;
  // The token dialog is rendered in place of the form. The form keeps its values for when the dialog closes.
  if (shown !== undefined) return <NewToken shown={shown} onClose={() => (isNew ? onClose() : setShown(undefined))} />;
  if (created !== undefined) return <MakeToken endpoint={created} onMade={setShown} onClose={onClose} />;
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
              <EndpointFields form={form} url={url} sources={sources} />
              <EndpointLimits form={form} endpoint={endpoint} source={source} />
              <EndpointRules form={form} endpoint={endpoint} />
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
            body={bodyOf(form.values)}
          />
        </Grid.Col>
      </Grid>
    </SidePanel>
  );
}

interface FieldsProps {
  readonly form: EndpointValuesForm;
  readonly url: string;
  readonly sources: readonly SignalSource[];
}

function EndpointFields({ form, url, sources }: FieldsProps) {
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
      <Select
        label="Sender"
        description="Yardarm then knows how it signs and repeats requests, and where its state and title are."
        searchable
        allowDeselect={false}
        data={sources.map(({ name, displayName }) => ({ value: name, label: displayName }))}
        {...form.getInputProps('source')}
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
    </Stack>
  );
}
