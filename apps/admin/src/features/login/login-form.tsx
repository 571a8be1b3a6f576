import { Button, Divider, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, type LoginMethods } from '../../lib/api.ts';
import { errorsByField } from '../../lib/error-messages.ts';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { showFailedLogins } from '../login-history/index.ts';

interface Props {
  readonly ways: LoginMethods;
  /** The user name that is filled in at first. */
  readonly username?: string;
  /**
   * Whether the form is in a dialog over a page. The page of the provider then opens in a new tab, so that the page
   * under the dialog stays.
   */
  readonly stays?: boolean;
  readonly onSignedIn: () => Promise<void>;
}

/** The login form, with the login methods of the server. */
export function LoginForm({ ways, username, stays = false, onSignedIn }: Props) {
  return (
    <Stack>
      {ways.others.map(({ type, message, path }) => (
        <Button
          key={type}
          component="a"
          href={stays ? path : `${path}?redirect=${encodeURIComponent(returnPath())}`}
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

/** Returns the path to which the provider returns the user after the login. */
function returnPath(): string {
  const { pathname, search, hash } = window.location;
  return /\/(login|signed-out)$/.test(pathname) ? new URL(document.baseURI).pathname : `${pathname}${search}${hash}`;
}

function PasswordForm({ username, onSignedIn }: { readonly username: string } & Pick<Props, 'onSignedIn'>) {
  const form = useForm({ initialValues: { username, password: '' } });
  const login = useMutation({
    mutationFn: (body: { username: string; password: string }) => api('POST /auth/simple/login', { body }),
    onSuccess: async ({ failedLogins, lastLoginAt }) => {
      if (failedLogins > 0) showFailedLogins(failedLogins, lastLoginAt);
      await onSignedIn();
    },
    onError: (error) => {
      form.setErrors(errorsByField(error, ['username', 'password']).fields);
    },
  });
  const formError = login.error === null ? undefined : errorsByField(login.error, ['username', 'password']).rest;
  return (
    <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
      <Stack>
        <FormError>{formError}</FormError>
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
