import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer, RouteKey } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { TokenTable } from '../../ui/token-table.tsx';
import { TokenForm, type TokenValues } from './token-form.tsx';

type Token = Answer<'GET /api/admin/user/tokens'>['pats'][number];

interface Props {
  readonly tokens: readonly Token[];
  /** Said where there is none. */
  readonly none: string;
  /** A permission that making one takes; what is one's own takes none. */
  readonly needs?: string;
  readonly create: (values: TokenValues) => Promise<{ readonly secret: string }>;
  readonly remove: (token: Token) => Promise<unknown>;
  /** The routes whose answers are another afterwards. */
  readonly changes: readonly RouteKey[];
  /** The title over a new secret. */
  readonly made: string;
}

/** The server makes no more (docs/spec#personal-tokens). */
const most = 10;

/** Tokens that act as somebody: they are made, shown once, and deleted here. */
export function ActingTokens({ tokens, none, needs, create, remove, changes, made }: Props) {
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
        <Text size="sm" c="dimmed">
          {tokens.length} of {most}
        </Text>
      </Group>
      <TokenTable
        tokens={tokens}
        nameHeader="Description"
        nameOf={({ description }) => description}
        onDelete={setRemoving}
        empty={<Text size="sm">{none}</Text>}
      />
      {making && <TokenForm save={create} changes={changes} onMade={setSecret} onClose={() => setMaking(false)} />}
      {removing !== undefined && (
        <Confirm
          title="Delete token?"
          action="Delete token"
          run={() => remove(removing)}
          changes={changes}
          onClose={() => setRemoving(undefined)}
        >
          What uses <b>{removing.description}</b> is refused from then on.
        </Confirm>
      )}
      <SecretOnce
        title={made}
        secret={secret === undefined ? undefined : { what: 'token', value: secret }}
        onClose={() => setSecret(undefined)}
      />
    </Stack>
  );
}
