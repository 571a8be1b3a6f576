import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { errorMessage, errorsByField } from '../../lib/error-messages.ts';
import { NewPassword } from '../../ui/new-password.tsx';
import { SectionTitle } from '../../ui/text.tsx';
import { RevokeTokens } from '../users/index.ts';
import { PublicPage } from './public-page.tsx';

/** The page of a password reset link. */
export function SetPasswordPage({ token }: { readonly token: string }) {
  const whose = useQuery({
    ...apiQuery('GET /auth/reset/validate', { query: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [password, setPassword] = useState('');
  const [revokeTokens, setRevokeTokens] = useState(true);
  const set = useMutation({
    mutationFn: () => api('POST /auth/reset/password', { body: { token, password, revokeTokens } }),
  });
  const formError = set.error === null ? undefined : errorsByField(set.error, ['password']);
  return (
    <PublicPage>
      {whose.isPending && <Loader aria-label="Loading" />}
      {whose.error !== null && (
        <Alert color="red" role="alert" title="Invalid link">
          {errorMessage(whose.error)} Ask an administrator for a new one.
        </Alert>
      )}
      {set.isSuccess && (
        <Stack>
          <Alert color="green" role="status" title="Password set">
            Log in with the new password. All open sessions have ended.
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
            <SectionTitle>Choose a password</SectionTitle>
            <Text size="sm">For {whose.data.name ?? whose.data.email}</Text>
            {formError?.rest !== undefined && (
              <Alert color="red" role="alert">
                {formError.rest}
              </Alert>
            )}
            <NewPassword
              value={password}
              error={formError?.fields['password']}
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
    </PublicPage>
  );
}
