import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { errorsByField } from '../../lib/error-messages.ts';
import { FormError } from '../../ui/form-error.tsx';

/** Asks for a password reset link by e-mail. Shows the same answer for addresses without a user, as the server does. */
export function ForgottenPassword() {
  const form = useForm({ initialValues: { email: '' } });
  const ask = useMutation({
    mutationFn: (body: { email: string }) => api('POST /auth/reset/password-email', { body }),
    onError: (error) => form.setErrors(errorsByField(error, ['email']).fields),
  });
  if (ask.isSuccess)
    return (
      <Alert color="green" role="status" title="Check your e-mail">
        If a user has the address {ask.variables.email}, a link to set a new password is on its way. It works once,
        within 24 hours.
      </Alert>
    );
  const formError = ask.error === null ? undefined : errorsByField(ask.error, ['email']).rest;
  return (
    <form onSubmit={form.onSubmit((values) => ask.mutate(values))} noValidate>
      <Stack gap="xs">
        <FormError>{formError}</FormError>
        <TextInput
          label="E-mail of your account"
          type="email"
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        <Button type="submit" variant="default" loading={ask.isPending}>
          Send a link
        </Button>
      </Stack>
    </form>
  );
}
