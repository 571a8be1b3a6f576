import { Alert, Button, Loader, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { byField, messageOf } from '../../lib/problems.ts';
import { RevokeTokens } from '../users/revoke-tokens.tsx';
import { NewPassword } from './new-password.tsx';
import { OutsidePage } from './outside-page.tsx';

/** Where a link leads that somebody was given to choose a password, for the first time or anew. */
export function SetPasswordPage({ token }: { readonly token: string }) {
  const whose = useQuery({
    queryKey: ['GET /auth/reset/validate', token],
    queryFn: () => api('GET /auth/reset/validate', { query: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [password, setPassword] = useState('');
  const [revokeTokens, setRevokeTokens] = useState(false);
  const set = useMutation({
    mutationFn: () => api('POST /auth/reset/password', { body: { token, password, revokeTokens } }),
  });
  const refusal = set.error === null ? undefined : byField(set.error, ['password']);
  return (
    <OutsidePage>
      {whose.isPending && <Loader aria-label="Loading" />}
      {whose.error !== null && (
        <Alert color="red" role="alert" title="This link cannot be used">
          {messageOf(whose.error)} Ask an administrator for another one.
        </Alert>
      )}
      {set.isSuccess && (
        <Stack>
          <Alert color="green" role="status" title="Your password is set">
            It counts from now on, and sessions that were open have ended.
            {revokeTokens && ' Personal tokens have been deleted.'}
          </Alert>
          <Button component="a" href={document.baseURI}>
            Log in
          </Button>
        </Stack>
      )}
      {whose.data !== undefined && !set.isSuccess && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            set.mutate();
          }}
        >
          <Stack>
            <Title order={2} size="h4">
              Choose a password
            </Title>
            <Text size="sm">For {whose.data.name ?? whose.data.email}</Text>
            {refusal?.rest !== undefined && (
              <Alert color="red" role="alert">
                {refusal.rest}
              </Alert>
            )}
            <NewPassword
              value={password}
              error={refusal?.fields['password']}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <RevokeTokens
              checked={revokeTokens}
              onChange={({ currentTarget }) => setRevokeTokens(currentTarget.checked)}
            />
            <Button type="submit" loading={set.isPending}>
              Set password
            </Button>
          </Stack>
        </form>
      )}
    </OutsidePage>
  );
}
