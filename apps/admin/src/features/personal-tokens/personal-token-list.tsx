import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer, RouteKey } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { CountOfLimit } from '../../ui/count-of-limit.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { TokenTable } from '../../ui/token-table.tsx';
import { TokenForm, type TokenValues } from './token-form.tsx';

type Token = Answer<'GET /api/admin/user/tokens'>['pats'][number];

interface Props {
  readonly tokens: readonly Token[];
  /** The text shown without tokens. */
  readonly none: string;
  /** The permission to create tokens. Users need no permission for their own tokens. */
  readonly needs?: string;
  readonly create: (values: TokenValues) => Promise<{ readonly secret: string }>;
  readonly remove: (token: Token) => Promise<unknown>;
  /** The routes to invalidate after a change. */
  readonly changes: readonly RouteKey[];
  /** The longest life of a new token, in days; absent for no limit. */
  readonly maxDays?: number | undefined;
  /** The title of the dialog that shows a new secret. */
  readonly made: string;
}

/** The maximum number of tokens that the server allows for an account (docs/spec#personal-tokens). */
const most = 10;

/** Lists the personal tokens of an account, with forms to create and delete them. */
export function PersonalTokenList({ tokens, none, needs, create, remove, changes, maxDays, made }: Props) {
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<Token>();
  const [secret, setSecret] = useState<string>();
  const button = (
    <Button variant="light" onClick={() => setMaking(true)} disabled={tokens.length >= most}>
      New token
    </Button>
  );
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {needs === undefined ? button : <Permitted needs={needs}>{button}</Permitted>}
        <CountOfLimit count={tokens.length} limit={most} noun="token" />
      </Group>
      <TokenTable
        tokens={tokens}
        nameHeader="Description"
        nameOf={({ description }) => description}
        onDelete={setRemoving}
        empty={<Text size="sm">{none}</Text>}
      />
      {making && (
        <TokenForm
          save={create}
          changes={changes}
          maxDays={maxDays}
          onMade={setSecret}
          onClose={() => setMaking(false)}
        />
      )}
      {removing !== undefined && (
        <Confirm
          title="Delete token?"
          action="Delete token"
          run={() => remove(removing)}
          changes={changes}
          onClose={() => setRemoving(undefined)}
        >
          Scripts that use <b>{removing.description}</b> will lose access.
        </Confirm>
      )}
      <SecretOnce
        title={made}
        secret={secret === undefined ? undefined : { kind: 'token', value: secret }}
        onClose={() => setSecret(undefined)}
      />
    </Stack>
  );
}
