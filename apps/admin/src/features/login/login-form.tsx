import { Alert, Button, Divider, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, type LoginWays } from '../../lib/api.ts';
import { byField } from '../../lib/problems.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { tellFailedLogins } from '../login-history/tell-failed-logins.ts';

interface Props {
  readonly ways: LoginWays;
  /** Filled in already. */
  readonly username?: string;
  /** Whether this page must stay as it is: a provider's page is opened beside it. */
  readonly stays?: boolean;
  readonly onSignedIn: () => Promise<void>;
}

/** Signs in, in the ways that there are. */
export function LoginForm({ ways, username, stays = false, onSignedIn }: Props) {
  return (
    <Stack>
      {ways.others.map(({ type, message, path }) => (
        <Button
          key={type}
          component="a"
          href={stays ? path : `${path}?redirect=${encodeURIComponent(here())}`}
          {...(stays ? { target: '_blank' } : {})}
          variant={ways.passwords ? 'default' : 'filled'}
        >
          {message}
        </Button>
      ))}
      {ways.others.length > 0 && ways.passwords && <Divider label="or" labelPosition="center" />}
      {ways.passwords && <PasswordForm username={username ?? ''} onSignedIn={onSignedIn} />}
    </Stack>
  );
}

/** The page that somebody wanted, to come back to; the pages about logging in are not such. */
function here(): string {
  const { pathname, search, hash } = window.location;
  return /\/(login|signed-out)$/.test(pathname) ? new URL(document.baseURI).pathname : `${pathname}${search}${hash}`;
}

function PasswordForm({ username, onSignedIn }: { readonly username: string } & Pick<Props, 'onSignedIn'>) {
  const form = useForm({ initialValues: { username, password: '' } });
  const login = useMutation({
    mutationFn: (body: { username: string; password: string }) => api('POST /auth/simple/login', { body }),
    onSuccess: async ({ failedLogins, lastLoginAt }) => {
      if (failedLogins > 0) tellFailedLogins(failedLogins, lastLoginAt);
      await onSignedIn();
    },
    onError: (error) => {
      form.setErrors(byField(error, ['username', 'password']).fields);
    },
  });
  const refusal = login.error === null ? undefined : byField(login.error, ['username', 'password']).rest;
  return (
    <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
      <Stack>
        {refusal !== undefined && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <TextInput
          label="Username or e-mail"
          autoComplete="username"
          required
          autoFocus={username === ''}
          data-autofocus={username === '' || undefined}
          {...form.getInputProps('username')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus={username !== '' || undefined}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={login.isPending}>
          Log in
        </Button>
      </Stack>
    </form>
  );
}
