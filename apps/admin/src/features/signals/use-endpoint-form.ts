import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import type { TokenShown } from './new-token.tsx';
import { endpointsQuery, type SignalEndpoint } from './signal-queries.ts';

export interface EndpointValues extends Record<string, unknown> {
  enabled: boolean;
  name: string;
  description: string;
  token: 'later' | 'now';
  tokenName: string;
}

export type EndpointValuesForm = UseFormReturnType<EndpointValues>;

interface Options {
  /** The endpoint to edit; a new one is created without. */
  readonly endpoint: SignalEndpoint | undefined;
  /** Names in use. */
  readonly taken: readonly string[];
  /** Called with the token that was created with a new endpoint. */
  readonly onMade: (token: TokenShown) => void;
  readonly onClose: () => void;
}

/** Returns the form of an endpoint and its submit function. */
export function useEndpointForm({ endpoint, taken, onMade, onClose }: Options) {
  const queries = useQueryClient();
  // The endpoint whose token could not be created: submitting again updates it.
  const made = useRef<SignalEndpoint>(undefined);
  const form = useForm<EndpointValues>({
    validateInputOnChange: true,
    initialValues: {
      enabled: endpoint?.enabled ?? true,
      name: endpoint?.name ?? '',
      description: endpoint?.description ?? '',
      token: 'later',
      tokenName: '',
    },
    validate: {
      name: (name) => nameProblem(name, taken, (endpoint ?? made.current)?.name),
      tokenName: (name, { token }) =>
        endpoint === undefined && token === 'now' && name.trim() === '' ? 'Enter a name.' : null,
    },
  });
  const saving = useSaving(form, {
    save: async ({ token, tokenName, ...body }) => {
      const id = (endpoint ?? made.current)?.id;
      if (id !== undefined) made.current = await api('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
      else made.current = await api('POST /api/admin/signal-endpoints', { body });
      await queries.invalidateQueries(endpointsQuery);
      if (endpoint !== undefined || token === 'later') return undefined;
      return { url: made.current.url, token: await newToken(made.current.id, tokenName) };
    },
    changes: ['GET /api/admin/signal-endpoints'],
    onSaved: (token) => {
      if (token === undefined) onClose();
      else onMade(token);
    },
  });
  return { form, saving };
}

/** Creates a token. Errors of its name are mapped to the field of the form. */
async function newToken(signalEndpointId: number, name: string): Promise<string> {
  try {
    const route = 'POST /api/admin/signal-endpoints/:signalEndpointId/tokens';
    return (await api(route, { params: { signalEndpointId }, body: { name } })).token;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.details.map((one) => (one.path === 'name' ? { ...one, path: 'tokenName' } : one));
    throw new ApiError(error.status, { name: error.kind, message: error.message, details });
  }
}

/** Returns the error of a name; the rule is that of the contract. */
function nameProblem(name: string, taken: readonly string[], own: string | undefined): string | null {
  if (name === '') return 'Enter a name.';
  if (!/^[a-z0-9_-]{1,100}$/.test(name)) return 'Use only lower-case letters, digits, - and _, at most 100 characters.';
  return name !== own && taken.includes(name) ? 'An endpoint with this name exists.' : null;
}
