import { Alert, Button, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { errorsByField } from '../../lib/error-messages.ts';
import { FormError } from '../../ui/form-error.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { SectionTitle } from '../../ui/text.tsx';
import { PublicPage } from './public-page.tsx';

const fields = ['name', 'email', 'password'];

/** The page of an invite link, which creates an account. */
export function SignUpPage({ secret }: { readonly secret: string }) {
  const params = { token: secret };
  const link = useQuery({
    queryKey: ['GET /invite/:token/validate', secret],
    queryFn: async () => {
      await api('GET /invite/:token/validate', { params });
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({ initialValues: { name: '', email: '', password: '' } });
  const signUp = useMutation({
    mutationFn: (body: typeof form.values) => api('POST /invite/:token/signup', { params, body }),
    onError: (error) => {
      form.setErrors(errorsByField(error, fields).fields);
    },
  });
  const formError = signUp.error === null ? undefined : errorsByField(signUp.error, fields).rest;
  return (
    <PublicPage>
      {link.isPending && <Loader aria-label="Loading" />}
      {link.error !== null && (
        <Alert color="red" role="alert" title="Invalid invite link">
          The link is unknown, disabled or expired. Ask the sender for a new one.
        </Alert>
      )}
      {signUp.isSuccess && (
        <Stack>
          <Alert color="green" role="status" title="Welcome">
            Your account has been created. Log in with your e-mail address and your password.
          </Alert>
          <Button component="a" href={document.baseURI}>
            Log in
          </Button>
        </Stack>
      )}
      {link.isSuccess && !signUp.isSuccess && (
        <form onSubmit={form.onSubmit((values) => signUp.mutate(values))}>
          <Stack>
            <SectionTitle>Create your account</SectionTitle>
            <Text size="sm">You will get the role Viewer.</Text>
            <FormError>{formError}</FormError>
            <TextInput label="Full name" autoComplete="name" required {...form.getInputProps('name')} />
            <TextInput label="E-mail" type="email" autoComplete="email" required {...form.getInputProps('email')} />
            <NewPassword label="Password" {...form.getInputProps('password')} />
            <Button type="submit" loading={signUp.isPending}>
              Sign up
            </Button>
          </Stack>
        </form>
      )}
    </PublicPage>
  );
}
