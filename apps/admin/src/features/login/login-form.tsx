import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { byField } from '../../lib/problems.ts';

interface Props {
  /** Filled in already. */
  readonly username?: string;
  readonly onSignedIn: () => Promise<void>;
}

/** Signs in with a password. */
export function LoginForm({ username = '', onSignedIn }: Props) {
  const form = useForm({ initialValues: { username, password: '' } });
  const login = useMutation({
    mutationFn: (body: { username: string; password: string }) => api('POST /auth/simple/login', { body }),
    onSuccess: onSignedIn,
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
          data-autofocus={username === '' || undefined}
          {...form.getInputProps('username')}
        />
        <PasswordInput
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
