import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { tokenRoutes, tokensQuery } from '../../entities/api-tokens/token-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { Muted } from '../../ui/text.tsx';

interface Props {
  readonly projectId: string;
  readonly environment: string;
  readonly type: 'backend' | 'frontend';
  /** The secret in the snippet; empty while there is none. */
  readonly secret: string;
  /** Whether the secret was created on this page, and is shown only here. */
  readonly isNew: boolean;
  readonly onSecret: (secret: string, isNew: boolean) => void;
}

/** Creates an API token for the snippet, or accepts the secret of an existing one. */
export function TokenChoice({ projectId, environment, type, secret, isNew, onSecret }: Props) {
  return (
    <Stack gap="sm">
      {isNew ? (
        <Alert color="yellow">
          The token is in the code. Copy it now: its secret cannot be shown again once you leave this page.
        </Alert>
      ) : (
        <>
          <NewToken
            projectId={projectId}
            environment={environment}
            type={type}
            onMade={(made) => onSecret(made, true)}
          />
          <StoredSecrets {...{ projectId, environment, type }} onSecret={(known) => onSecret(known, false)} />
          <PasswordField
            label="Or the secret of a token that you have"
            description={`A ${type} token of ${environment}. It stays in this browser.`}
            placeholder={`${projectId}:${environment}.…`}
            autoComplete="off"
            value={secret}
            onChange={({ currentTarget }) => onSecret(currentTarget.value.trim(), false)}
          />
        </>
      )}
    </Stack>
  );
}

type NewTokenProps = Pick<Props, 'projectId' | 'environment' | 'type'> & { readonly onMade: (secret: string) => void };

function NewToken({ projectId, environment, type, onMade }: NewTokenProps) {
  const place = { project: projectId };
  const form = useForm({ initialValues: { tokenName: 'shop' } });
  const saving = useSaving(form, {
    save: ({ tokenName }) =>
      api('POST /api/admin/projects/:projectId/api-tokens', {
        params: { projectId },
        body: { tokenName, type, environment },
      }),
    changes: tokenRoutes,
    onSaved: ({ secret }) => onMade(secret),
  });
  return (
    <form onSubmit={saving.submit} noValidate>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Name of a new token"
          description="The application that uses it."
          autoComplete="off"
          flex="1 1 200px"
          {...form.getInputProps('tokenName')}
        />
        <Permitted needs="CREATE_PROJECT_API_TOKEN" place={place}>
          <Button type="submit" loading={saving.pending}>
            Create {type} token
          </Button>
        </Permitted>
      </Group>
      <FormError>{saving.formError}</FormError>
    </form>
  );
}

type StoredProps = Pick<Props, 'projectId' | 'environment' | 'type' | 'onSecret'>;

/** Offers existing tokens. The server shows their secrets only with the setting YARDARM_READABLE_SECRETS. */
function StoredSecrets({
  projectId,
  environment,
  type,
  onSecret,
}: Omit<StoredProps, 'onSecret'> & {
  readonly onSecret: (secret: string) => void;
}) {
  const isAllowed = useMay()('READ_PROJECT_API_TOKEN', { project: projectId });
  const { data: tokens = [] } = useQuery({ ...tokensQuery(projectId), enabled: isAllowed });
  const types = type === 'backend' ? ['backend', 'client'] : [type];
  const fitting = tokens.filter((token) => types.includes(token.type) && token.environment === environment);
  const readable = fitting.flatMap(({ id, tokenName, secret }) =>
    secret === undefined ? [] : [{ value: String(id), label: tokenName, secret }],
  );
  if (readable.length === 0)
    return fitting.length === 0 ? null : (
      <Muted>
        Tokens of this project for {environment}: {fitting.map(({ tokenName }) => tokenName).join(', ')}. Only hashes of
        their secrets are stored.
      </Muted>
    );
  return (
    <Select
      label="Or an existing token"
      data={readable.map(({ value, label }) => ({ value, label }))}
      onChange={(id) => onSecret(readable.find(({ value }) => value === id)?.secret ?? '')}
      searchable
      clearable
    />
  );
}
